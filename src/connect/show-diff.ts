import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

const lineLengthMax = 400;
/** Values that stand beside the change only by chance are not shown where their name sounds secret. */
const secretValue = /((?:key|token|secret|passw\w*|auth\w*|credential\w*)["']?\s*[:=]\s*)("[^"]*"|'[^']*')/gi;

/**
 * The change as a unified diff, for reading: in line feeds, without a byte order mark, secrets around the change masked.
 * @param before undefined when the file is new, as is `after` when it goes
 */
export function showDiff(path: string, before: string | undefined, after: string | undefined): string {
  const patch = createTwoFilesPatch(
    before === undefined ? '/dev/null' : path,
    after === undefined ? '/dev/null' : path,
    shown(before),
    shown(after),
    '',
    '',
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
  return patch.trimEnd().split('\n').map(masked).join('\n');
}

function shown(text = ''): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

function masked(line: string): string {
  const safe = line.replace(secretValue, '$1"…"');
  return safe.length > lineLengthMax ? `${safe.slice(0, lineLengthMax)} …` : safe;
}
