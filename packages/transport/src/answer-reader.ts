import type { Readable } from "node:stream";

/** Reads lines and stretches of raw bytes from a stream, in turns. */
export class AnswerReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #pending: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Nothing, if the stream ends before the line does. */
  async line(): Promise<string | undefined> {
    for (let from = 0; ; ) {
      const end = this.#pending.indexOf("\n", from);
      if (end >= 0) return this.#take(end + 1).toString("utf8", 0, end);
      from = this.#pending.byteLength;
      if (!(await this.#more())) return undefined;
    }
  }

  /** Nothing, if the stream ends before. */
  async bytes(count: number): Promise<Buffer | undefined> {
    if (this.#pending.byteLength < count && !(await this.#more(count))) return undefined;
    return this.#take(count);
  }

  #take(count: number): Buffer {
    const taken = this.#pending.subarray(0, count);
    this.#pending = this.#pending.subarray(count);
    return taken;
  }

  async #more(atLeast = this.#pending.byteLength + 1): Promise<boolean> {
    const chunks = [this.#pending];
    let bytes = this.#pending.byteLength;
    while (bytes < atLeast) {
      const { value, done } = await this.#chunks.next();
      if (done) return false;
      chunks.push(value);
      bytes += value.byteLength;
    }
    this.#pending = Buffer.concat(chunks);
    return true;
  }
}
