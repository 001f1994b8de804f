import { Transform, type TransformCallback } from "node:stream";

const KEPT_CHATTER_BYTES = 4096;

/** Passes on what follows a line that begins with a mark. What stands before it is kept aside, for a message. */
export class AfterMark extends Transform {
  readonly #mark: Buffer;
  readonly #onMark: (rest: string) => void;
  #before: Buffer = Buffer.alloc(0);
  #isPassed = false;

  constructor(mark: string, onMark: (rest: string) => void) {
    super();
    this.#mark = Buffer.from(mark);
    this.#onMark = onMark;
  }

  get isPassed(): boolean {
    return this.#isPassed;
  }

  get chatter(): string {
    return this.#before.toString("utf8").trim();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#isPassed) done(null, chunk);
    else this.#look(chunk, done);
  }

  #look(chunk: Buffer, done: TransformCallback): void {
    this.#before = Buffer.concat([this.#before, chunk]);
    const start = this.#before.indexOf(this.#mark);
    const end = start < 0 ? -1 : this.#before.indexOf("\n", start);
    if (end < 0) {
      if (start < 0) this.#before = this.#before.subarray(-KEPT_CHATTER_BYTES);
      done();
      return;
    }
    this.#isPassed = true;
    const rest = this.#before.subarray(end + 1);
    const line = this.#before.subarray(start + this.#mark.byteLength, end).toString("utf8");
    this.#before = this.#before.subarray(0, start);
    this.#onMark(line.trim());
    if (rest.byteLength > 0) done(null, rest);
    else done();
  }
}
