import { Writable } from 'node:stream';

/** What may wait for a host that reads slowly before further answers wait for it. */
const bufferedBytesMax = 1024 * 1024;

/**
 * Keeps stdout for the protocol from the first byte: whatever else in the process writes there (a library's warning, a
 * forgotten console.log) goes to stderr. Answers the one stream that still reaches stdout.
 */
export function guardStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (chunk: Uint8Array, done: (error?: Error | null) => void) => boolean;
  const protocol = new Writable({
    decodeStrings: true,
    highWaterMark: bufferedBytesMax,
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
  // The SDK listens once for each answer that is on its way, and any number may be.
  protocol.setMaxListeners(0);
  // A host that is gone shows as EPIPE: on stdout that ends the session, on stderr nobody is left to be told.
  stdout.on('error', (error) => protocol.destroy(error));
  stderr.on('error', () => {});
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return protocol;
}
