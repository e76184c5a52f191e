import fc from 'fast-check';

export const white = fc.constantFrom('', ' ', '\n', '\n\t', '\r\n  ', ' /* c */ ', ' // line\n', '\n  // own line\n  ');
const name = fc
  .oneof(fc.constantFrom('mcpServers', 'loopx', 'a', '/*', '//', ',', '}'), fc.string())
  .filter((key) => key !== '__proto__');

/** JSON as people write it: comments, trailing commas and white space anywhere. */
const { object } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)).map((leaf) => JSON.stringify(leaf)),
    tie('object'),
    tie('list'),
  ),
  list: fc
    .tuple(fc.array(fc.tuple(white, tie('value'), white), { maxLength: 3 }), white)
    .map(([items, end]) => `[${items.map((item) => item.join('')).join(',')}${end}]`),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(white, name, white, tie('value'), white), { maxLength: 4, selector: (pair) => pair[1] }),
      fc.boolean(),
      white,
    )
    .map(([pairs, hasTail, end]) => {
      const texts = pairs.map(([w, key, x, value, y]) => `${w}${JSON.stringify(key)}${x}:${value}${y}`);
      return `{${texts.join(',')}${hasTail && texts.length > 0 ? ',' : ''}${end}}`;
    }),
}));
/** The same with servers in it. */
export const jsonWithServers = fc
  .tuple(object, object)
  .map(([outer, inner]) =>
    outer.includes('"mcpServers"') ? outer : outer.replace('{', () => `{"mcpServers": ${inner},`),
  );

export const jsonObject = object;

const gap = fc.constantFrom('', '\n', '  # note\n', '\n\n# own line\n');
const value = fc.oneof(
  fc.string().map((text) => JSON.stringify(text).replaceAll('\u007f', ' ')),
  fc.integer().map(String),
  fc.constantFrom(
    '"""\n[mcp_servers.loopx]\ncommand = 1\n"""',
    "'''\n# no\n''''",
    '[ 1, # one\n  "]" ]',
    '{ a = \'}\', "b.c" = [] }',
    '1979-05-27T07:32:00Z',
    'inf',
    '"" # "',
  ),
);
const pairs = (count: number) =>
  fc
    .array(fc.tuple(fc.constantFrom('', '  '), value, gap), { maxLength: count })
    .map((list) => list.map(([lead, text, end], at) => `${lead}"k ${at}" = ${text}${end}\n`).join(''));
const tables = fc
  .subarray([
    'a',
    '"b.]"',
    "'c='",
    'mcp_servers.other',
    'mcp_servers."x y".env',
    'mcp_servers.loopx',
    'mcp_servers.loopx.tools.t',
  ])
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.tuple(pairs(3), gap).map(([body, end]) => `[ ${name} ]\n${body}${end}`))),
  );
/** TOML as people write it: comments, strings over lines, lists over lines, quoted names. */
export const tomlDocument = fc
  .tuple(gap, pairs(2), tables, fc.boolean(), fc.boolean())
  .map(([start, body, parts, isCrlf, hasMark]) => {
    const text = start + body + parts.join('');
    return (hasMark ? '\ufeff' : '') + (isCrlf ? text.replaceAll('\n', '\r\n') : text);
  });
