/** One simple command of a shell line: its words without quotes, and the files that its redirections write. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

const lineCharsMax = 20_000;
const depthMax = 4;

/**
 * The simple commands in a shell line: those joined by `;`, `&&`, `|` and line breaks, those in parentheses and
 * substitutions, and those given to `sh -c` and its like. It reads words as a shell would that expands nothing, so it
 * is a tripwire: what a variable, an alias, a script or another language runs is not seen.
 */
export function simpleCommands(line: string, depth = 0): readonly SimpleCommand[] {
  if (depth > depthMax) return [];
  const found: SimpleCommand[] = [];
  for (const tokens of splitCommands(line.slice(0, lineCharsMax))) {
    const command = commandOf(tokens);
    if (command.words.length === 0 && command.writesTo.length === 0) continue;
    found.push(command);
    for (const inner of innerLines(tokens, command.words)) found.push(...simpleCommands(inner, depth + 1));
  }
  return found;
}

interface Token {
  readonly text: string;
  /** Redirections are operators; a quoted `>` is a word. */
  readonly isOperator: boolean;
  /** What stands in $( ) or backticks within the word. */
  readonly substitutions: readonly string[];
}

const separators = new Set([';', '&', '|', '\n', '(', ')', '{', '}']);

function splitCommands(line: string): readonly (readonly Token[])[] {
  const commands: Token[][] = [[]];
  let word = '';
  let hasWord = false;
  let substitutions: string[] = [];
  const endWord = () => {
    if (hasWord) commands.at(-1)?.push({ text: word, isOperator: false, substitutions });
    word = '';
    hasWord = false;
    substitutions = [];
  };
  const substitute = (from: number, close: string): number => {
    const end = close === ')' ? closingParenthesis(line, from) : indexOr(line, close, from);
    substitutions.push(line.slice(from, end));
    hasWord = true;
    return end;
  };
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote === "'") {
      if (char === "'") quote = '';
      else word += char;
    } else if (char === '\\') {
      at += 1;
      const next = line[at] ?? '';
      // A backslash at the end of a line joins it with the next.
      if (next !== '\n') {
        word += next;
        hasWord = true;
      }
    } else if (char === '$' && line[at + 1] === '(') at = substitute(at + 2, ')');
    else if (char === '`') at = substitute(at + 1, '`');
    else if (quote === '"') {
      if (char === '"') quote = '';
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      hasWord = true;
    } else if (char === '#' && !hasWord) at = indexOr(line, '\n', at) - 1;
    else if (char === '>' || char === '<') {
      // In `2>file` and `&>file` the number is no word; a heredoc's text is no command.
      if (/^\d*$/.test(word)) hasWord = false;
      endWord();
      if (line.startsWith('<<', at) && line[at + 2] !== '<') at = endOfHeredoc(line, at);
      else {
        const operator = /^(>>|>\||>&|<>|<<<|<&|<|>)/.exec(line.slice(at, at + 3))?.[0] ?? char;
        commands.at(-1)?.push({ text: operator, isOperator: true, substitutions: [] });
        at += operator.length - 1;
      }
    } else if (char === '&' && line[at + 1] === '>') endWord();
    else if (/\s/.test(char) && char !== '\n') endWord();
    else if (separators.has(char) && !(isBrace(char) && (hasWord || /[^\s;]/.test(line[at + 1] ?? ' ')))) {
      endWord();
      commands.push([]);
    } else {
      word += char;
      hasWord = true;
    }
  }
  endWord();
  return commands;
}

/** Braces group commands only where they are words of their own; within a word they are text. */
function isBrace(char: string): boolean {
  return char === '{' || char === '}';
}

function indexOr(line: string, text: string, from: number): number {
  const found = line.indexOf(text, from);
  return found < 0 ? line.length : found;
}

function closingParenthesis(line: string, from: number): number {
  let depth = 1;
  for (let at = from; at < line.length; at++) {
    if (line[at] === '(') depth += 1;
    if (line[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return line.length;
}

/** Cuts nothing out but the heredoc's own lines: what stands on the line after `<<EOF` is still read. */
function endOfHeredoc(line: string, at: number): number {
  const opening = /^<<-?\s*(['"]?)([\w.-]+)\1/.exec(line.slice(at, at + 100));
  if (!opening) return at + 1;
  const close = new RegExp(`\\n\\s*${opening[2]?.replace(/[.-]/g, '\\$&')}\\s*(?:\\n|$)`).exec(line.slice(at));
  const rest = /\n/.exec(line.slice(at + opening[0].length));
  const isLast = rest === null || line.slice(at + opening[0].length, at + opening[0].length + rest.index).trim() === '';
  if (!isLast || !close) return at + opening[0].length - 1;
  // The line break after it is still to come: it ends the command.
  const end = at + close.index + close[0].length;
  return close[0].endsWith('\n') ? end - 2 : end;
}

function commandOf(tokens: readonly Token[]): SimpleCommand {
  const words: string[] = [];
  const writesTo: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (!token.isOperator) words.push(token.text);
    else {
      at += 1;
      const target = tokens[at];
      // `2>&1` copies a stream; the number after it is no file.
      const isCopy = token.text === '>&' && /^(\d+|-)$/.test(target?.text ?? '');
      if (target && token.text.includes('>') && !isCopy) writesTo.push(target.text);
    }
  }
  return { words: withoutPrefix(words), writesTo };
}

const prefixes = new Set(['sudo', 'env', 'command', 'exec', 'nohup', 'time', 'nice', 'builtin', 'xargs', 'then', 'do']);
/** Options of those prefixes that the next word belongs to: `sudo -u root`, `nice -n 5`, `xargs -n 1`. */
const takesValue = /^-[nuILPsgCh]$/;
const keywords = new Set(['if', 'while', 'until', 'else', 'elif', '!']);

/** The words from the program on: without variables set before it and without programs that only run another. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  let at = 0;
  let isAfterPrefix = false;
  for (; at < words.length; at++) {
    const word = words[at] as string;
    if (/^[A-Za-z_]\w*=/.test(word)) continue;
    if (isAfterPrefix && word.startsWith('-')) {
      if (takesValue.test(word)) at += 1;
      continue;
    }
    if (!prefixes.has(word) && !keywords.has(word)) break;
    isAfterPrefix = prefixes.has(word);
  }
  const [program = '', ...rest] = words.slice(at);
  return program === '' ? [] : [program.slice(program.lastIndexOf('/') + 1) || program, ...rest];
}

function innerLines(tokens: readonly Token[], words: readonly string[]): readonly string[] {
  const lines = tokens.flatMap((token) => token.substitutions);
  if (/^(ba|z|da|k)?sh$/.test(words[0] ?? '')) {
    const flag = words.findIndex((word) => /^-\w*c$/.test(word));
    if (flag > 0 && words[flag + 1] !== undefined) lines.push(words[flag + 1] as string);
  }
  if (words[0] === 'eval') lines.push(words.slice(1).join(' '));
  return lines;
}
