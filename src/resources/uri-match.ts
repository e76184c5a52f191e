import type { ResourceVariables } from './define-resource.ts';

const uriCharsMax = 2_000;

/** The variables of a URI that fits the template, undefined where it does not fit. */
export function matchUri(template: string, uri: string): ResourceVariables | undefined {
  if (uri.length > uriCharsMax) return undefined;
  const [path = '', query] = template.split('{?');
  const [given = '', search] = uri.split('?');
  const values = pathValues(path.split('/'), given.replace(/\/$/, '').split('/'));
  if (values === undefined || query === undefined) return search === undefined ? values : undefined;
  const name = query.replace('}', '');
  const value = new URLSearchParams(search ?? '').get(name);
  return value === null ? values : { ...values, [name]: value };
}

function pathValues(parts: readonly string[], given: readonly string[]): ResourceVariables | undefined {
  if (parts.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const text = decoded(given[at] as string);
    if (text === undefined) return undefined;
    if (part.startsWith('{')) {
      if (text === '') return undefined;
      values[part.slice(1, -1)] = text;
    } else if (part !== text) return undefined;
  }
  return values;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
