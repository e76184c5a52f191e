import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A workspace folder with these files, removed after the test. */
export function workspaceWith(files: { readonly [path: string]: string | Buffer }): string {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), 'loopx-evidence-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'workspace');
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  return root;
}

export function put(root: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
