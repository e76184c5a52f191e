import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Crypto } from './kernel/commands.ts';

/** The cryptography of Node for the kernel. */
export const nodeCrypto: Crypto = {
  digest: (text) => createHash('sha256').update(text).digest('hex'),
  verify: (publicKey, text, signature) => {
    try {
      const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
      return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
    } catch {
      // A key or signature that cannot be read verifies nothing.
      return false;
    }
  },
};
