import { scanByOwnRules } from './own-rules.ts';
import { type Found, scanByPreset } from './secret-rules.ts';

export interface FoundSecret {
  /** The path of the field it stands in, as the caller named it. */
  readonly field: string;
  /** What it looks like: "github", "aws", "privatekey". Never the secret itself. */
  readonly kind: string;
}

const separator = '\n\n';

/**
 * The first of these texts that holds what looks like a credential or a private key, or undefined. All are scanned as
 * one text; nothing of it is kept. Rejects only if the scanner itself fails: then nothing was checked.
 */
export async function findSecret(fields: { readonly [fieldPath: string]: string }): Promise<FoundSecret | undefined> {
  const names = Object.keys(fields);
  const text = Object.values(fields).join(separator);
  const found = first([...scanByOwnRules(text), ...(await scanByPreset(text))]);
  if (found === undefined) return undefined;
  let end = 0;
  const field = names.find((name) => {
    end += fields[name]!.length + separator.length;
    return found.from < end;
  });
  return { field: field!, kind: found.kind };
}

function first(found: readonly Found[]): Found | undefined {
  return found.reduce<Found | undefined>((best, next) => (best && best.from <= next.from ? best : next), undefined);
}
