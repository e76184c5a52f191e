import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { ConfigError } from './config-error.ts';
import { placeOf } from './config-text.ts';

// Kinds of tokens as jsonc-parser numbers them; its own names are an ambient const enum, which is not erasable.
const tokens = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, white: 15 } as const;

/**
 * The root object of JSON with comments and trailing commas.
 * @throws ConfigError config-broken, with line and column, and config-shape where the root is no object
 */
export function readRoot(body: string): Node {
  const errors: ParseError[] = [];
  const root = parse(body, errors);
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const { line, column } = placeOf(body, first?.offset ?? 0);
    const what = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error);
    throw new ConfigError('config-broken', `It is not valid JSON: ${what} at line ${line}, column ${column}.`);
  }
  if (root.type !== 'object') throw new ConfigError('config-shape', 'It holds no JSON object, so it is not touched.');
  return root;
}

function parse(body: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(body, errors, { allowTrailingComma: true });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ConfigError('config-shape', 'It is nested too deeply to be read.', { cause });
  }
}

export function readValue(body: string): unknown {
  return getNodeValue(readRoot(body));
}

/** The property node of that name. @throws ConfigError config-shape when it is there twice: which counts is open */
export function propertyOf(object: Node, name: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === name);
  if (found.length > 1)
    throw new ConfigError('config-shape', `It has ${JSON.stringify(name)} twice; leave one of them.`);
  return found[0];
}

/** The value node of a property, which has to be an object. @throws ConfigError config-shape */
export function objectIn(property: Node): Node {
  const [key, value] = property.children ?? [];
  if (value?.type === 'object') return value;
  throw new ConfigError('config-shape', `${JSON.stringify(key?.value)} in it is no object, so it is not touched.`);
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

export interface Tail {
  /** The comma behind the property, if there is one. */
  readonly commaAt: number | undefined;
  /** Behind the comma and behind the comments that stand on the same line. */
  readonly end: number;
}

/** What belongs to a property behind its value. */
export function tailOf(body: string, property: Node): Tail {
  const scanner = createScanner(body, false);
  scanner.setPosition(endOf(property));
  let commaAt: number | undefined;
  let end = endOf(property);
  let isSameLine = true;
  for (;;) {
    const kind: number = scanner.scan();
    const tokenEnd = scanner.getTokenOffset() + scanner.getTokenLength();
    if (kind === tokens.lineBreak) isSameLine = false;
    else if (kind === tokens.comma && commaAt === undefined) {
      commaAt = scanner.getTokenOffset();
      end = tokenEnd;
      isSameLine = true;
    } else if (kind === tokens.lineComment || kind === tokens.blockComment) {
      if (isSameLine) end = tokenEnd;
    } else if (kind !== tokens.white) return { commaAt, end };
    // Past the comma only the rest of its line belongs to it.
    if (commaAt !== undefined && !isSameLine) return { commaAt, end };
  }
}
