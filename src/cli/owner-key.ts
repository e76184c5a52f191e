import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Environment } from '../plane-provider.ts';

/** What went wrong with a key file; the message names the file and what to do. */
export class OwnerKeyError extends Error {
  override readonly name = 'OwnerKeyError';
  readonly code: 'no-key' | 'unusable-key' | 'inside-workspace';

  constructor(code: OwnerKeyError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Where the owner's private key is kept if nothing else is said: the user's configuration folder. */
export function defaultKeyFile(env: Environment): string {
  const home = env.HOME ?? homedir();
  const config = process.platform === 'win32' ? (env.APPDATA ?? home) : env.XDG_CONFIG_HOME || join(home, '.config');
  return join(config, 'loopx', 'owner-key.pem');
}

/** A key pair made anew, its private half in the file (mode 0600); a key that lies there already is taken as it is. */
export function makeKey(file: string, workspace: string): { readonly key: KeyObject; readonly isNew: boolean } {
  refuseInside(file, workspace);
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 });
    return { key: privateKey, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { key: readKey(file), isNew: false };
    throw new OwnerKeyError('unusable-key', `${file} cannot be written (${(error as Error).message}).`, error);
  }
}

export function readKey(file: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw new OwnerKeyError(
      'no-key',
      `The owner's key cannot be read from ${file}; run \`loopx owner init\`, or name it with --key-file.`,
      error,
    );
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, as for a key of another kind.
  }
  throw new OwnerKeyError('unusable-key', `${file} holds no Ed25519 private key in PEM.`);
}

/** The public half as the control plane keeps it: base64 of its SPKI form. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

export function signText(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), key).toString('base64');
}

/** Agents read and write in the workspace, so a key in it would be theirs. */
function refuseInside(file: string, workspace: string): void {
  const way = relative(workspace, resolve(file));
  if (way !== '' && (way.startsWith('..') || resolve(way) === way)) return;
  throw new OwnerKeyError(
    'inside-workspace',
    `${file} lies inside the workspace, where agents work; name a file outside.`,
  );
}
