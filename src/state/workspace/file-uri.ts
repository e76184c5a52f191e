import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

export type UriPath = { readonly path: string } | { readonly why: string };

/**
 * The path that a host's root means: a file: URI (percent-encoded or not, `/c%3A/`, trailing slashes), or, since some
 * hosts send that, a bare absolute path. `isWindows` is a parameter so that both readings can be tried on any machine.
 */
export function pathOfUri(uri: string, isWindows: boolean = process.platform === 'win32'): UriPath {
  if (!/^file:/i.test(uri)) {
    return isAbsolute(uri) ? { path: uri } : { why: 'it is neither a file: URI nor an absolute path' };
  }
  try {
    // A folder has no query and no fragment: a bare `?` or `#` is part of its name.
    const url = new URL(uri.replace(/\?/g, '%3F').replace(/#/g, '%23'));
    return { path: fileURLToPath(url, { windows: isWindows }) };
  } catch {
    return { why: 'it is not a file: URI of this machine' };
  }
}
