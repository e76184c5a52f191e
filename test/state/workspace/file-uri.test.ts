import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { pathOfUri } from '../../../src/state/workspace/file-uri.ts';
import { findWorkspace } from '../../../src/state/workspace/find-workspace.ts';

test.each([
  ['file:///home/ann/my%20project', '/home/ann/my project'],
  ['file:///home/ann/my project/', '/home/ann/my project/'],
  ['file:///home/ann/caf%C3%A9', '/home/ann/café'],
  ['file:///home/ann/日本', '/home/ann/日本'],
  ['file:///home/ann/c#sharp?', '/home/ann/c#sharp?'],
  ['file://localhost/srv', '/srv'],
  ['FILE:///srv', '/srv'],
  ['/srv/plain', '/srv/plain'],
])('%s is read as %s [R10]', (uri, path) => {
  expect(pathOfUri(uri, false)).toEqual({ path });
});

test.each([
  ['file:///c%3A/Users/ann', 'c:\\Users\\ann'],
  ['file:///C:/Users/ann/', 'C:\\Users\\ann\\'],
  ['file://server/share', '\\\\server\\share'],
])('on Windows %s is read as %s [R10]', (uri, path) => {
  expect(pathOfUri(uri, true)).toEqual({ path });
});

test.each(['file:///100%', 'file:///a%2Fb', 'file://server/share', 'https://example.org/a', 'relative/path', ''])(
  '%j is refused with a reason [R10]',
  (uri) => {
    expect(pathOfUri(uri, false)).toHaveProperty('why', expect.stringMatching(/^it is /));
  },
);

test.each(['with space', 'café 日本', 'c:', 'a#b?c', '100%'])('a root in a folder named %j is found [R10]', (name) => {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), 'loopx-uri-')));
  try {
    const root = join(base, name);
    mkdirSync(root);
    const encoded = pathToFileURL(root).href;
    for (const uri of [encoded, `${encoded}/`, encoded.replace('c:', 'c%3A')]) {
      expect(findWorkspace({ env: {}, roots: [uri], cwd: base, home: undefined })).toMatchObject({
        root,
        source: 'root',
      });
    }
  } finally {
    rmSync(base, { recursive: true });
  }
});
