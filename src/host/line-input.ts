import { Transform, type TransformCallback } from 'node:stream';

const newline = 0x0a;

/**
 * Passes whole lines on and drops any that is over `lineBytesMax`, keeping what follows: one absurd message must not
 * end the session of all the others. What is left without a newline at the end is no message.
 */
export class LineInput extends Transform {
  readonly #lineBytesMax: number;
  readonly #onDropped: (bytes: number) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(lineBytesMax: number, onDropped: (bytes: number) => void) {
    super();
    this.#lineBytesMax = lineBytesMax;
    this.#onDropped = onDropped;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#take(chunk.subarray(from, at + 1));
      this.#endLine();
      from = at + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
    done();
  }

  #take(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#lineBytesMax) this.#parts.push(part);
    else this.#parts = [];
  }

  #endLine(): void {
    if (this.#bytes <= this.#lineBytesMax) this.push(Buffer.concat(this.#parts));
    else this.#onDropped(this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
  }
}
