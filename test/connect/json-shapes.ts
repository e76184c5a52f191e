/** Files as people have them, and what each has to be with the server in it. */
export const jsonShapes: readonly { readonly name: string; readonly text: string; readonly withServer: string }[] = [
  {
    name: 'another server, two spaces',
    text: `{
  "mcpServers": {
    "other": {
      "command": "x"
    }
  }
}
`,
    withServer: `{
  "mcpServers": {
    "other": {
      "command": "x"
    },
    "loopx": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "loopx-mcp@1.2.3"],
      "alwaysLoad": true
    }
  }
}
`,
  },
  {
    name: 'tabs, comments and trailing commas',
    text: `// mine
{
\t"mcpServers": {
\t\t/* the first */
\t\t"other": { "command": "x" }, // works
\t\t// "old": {},
\t},
\t"theme": "dark", // at night
}`,
    withServer: `// mine
{
\t"mcpServers": {
\t\t/* the first */
\t\t"other": { "command": "x" }, // works
\t\t"loopx": {
\t\t\t"type": "stdio",
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "loopx-mcp@1.2.3"],
\t\t\t"alwaysLoad": true
\t\t},
\t\t// "old": {},
\t},
\t"theme": "dark", // at night
}`,
  },
  {
    name: 'a comment behind the last server, which has no comma',
    text: '{\n  "mcpServers": {\n    "other": {} // last\n  }\n}\n',
    withServer:
      '{\n  "mcpServers": {\n    "other": {}, // last\n    "loopx": {\n      "type": "stdio",\n      "command": "npx",\n      "args": ["-y", "loopx-mcp@1.2.3"],\n      "alwaysLoad": true\n    }\n  }\n}\n',
  },
  {
    name: 'CRLF and a byte order mark',
    text: '\ufeff{\r\n    "mcpServers": {}\r\n}\r\n',
    withServer:
      '\ufeff{\r\n    "mcpServers": {\r\n        "loopx": {\r\n            "type": "stdio",\r\n            "command": "npx",\r\n            "args": ["-y", "loopx-mcp@1.2.3"],\r\n            "alwaysLoad": true\r\n        }\r\n    }\r\n}\r\n',
  },
  {
    name: 'one line without spaces',
    text: '{"a":1,"mcpServers":{"other":{"command":"x"}}}',
    withServer:
      '{"a":1,"mcpServers":{"other":{"command":"x"},"loopx":{ "type": "stdio", "command": "npx", "args": ["-y", "loopx-mcp@1.2.3"], "alwaysLoad": true }}}',
  },
  {
    name: 'one line with spaces',
    text: '{ "mcpServers": { "other": {} } }',
    withServer:
      '{ "mcpServers": { "other": {}, "loopx": { "type": "stdio", "command": "npx", "args": ["-y", "loopx-mcp@1.2.3"], "alwaysLoad": true } } }',
  },
  {
    name: 'an empty object',
    text: '{}\n',
    withServer:
      '{\n  "mcpServers": {\n    "loopx": {\n      "type": "stdio",\n      "command": "npx",\n      "args": ["-y", "loopx-mcp@1.2.3"],\n      "alwaysLoad": true\n    }\n  }\n}\n',
  },
  {
    name: 'settings without servers',
    text: '{\n  "theme": "dark"\n}\n',
    withServer:
      '{\n  "theme": "dark",\n  "mcpServers": {\n    "loopx": {\n      "type": "stdio",\n      "command": "npx",\n      "args": ["-y", "loopx-mcp@1.2.3"],\n      "alwaysLoad": true\n    }\n  }\n}\n',
  },
];
