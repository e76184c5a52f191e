import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol from the first byte: whatever else in the process writes there (a library's warning, a
 * forgotten console.log) goes to stderr. Answers the one stream that still reaches stdout.
 */
export function guardStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (chunk: Uint8Array, done: (error?: Error | null) => void) => boolean;
  const protocol = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
  // A host that is gone shows as EPIPE: on stdout that ends the session, on stderr nobody is left to be told.
  stdout.on('error', (error) => protocol.destroy(error));
  stderr.on('error', () => {});
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return protocol;
}
