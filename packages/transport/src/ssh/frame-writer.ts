import type { Talk } from "../far-side.ts";

const PACKED_BYTES = 128 * 1024;
const HEADER_BYTES = 1 + 4 + 4 + 32;

/** What the far side is told of a file: its content follows, it lies there to be published, or that was all. */
export type FrameKind = "D" | "P" | "E";

/** Packs frames, since many small packets cost more than a few large ones. */
export class FrameWriter {
  readonly #talk: Talk;
  #packed: Buffer[] = [];
  #bytes = 0;

  constructor(talk: Talk) {
    this.#talk = talk;
  }

  add(kind: FrameKind, number: number, hash: string, content: Buffer = Buffer.alloc(0)): void {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(kind, 0, "latin1");
    header.writeUInt32BE(number, 1);
    header.writeUInt32BE(content.byteLength, 5);
    header.write(hash, 9, "hex");
    this.#packed.push(header, content);
    this.#bytes += header.byteLength + content.byteLength;
    if (this.#bytes >= PACKED_BYTES) this.flush();
  }

  flush(): void {
    if (this.#bytes === 0) return;
    this.#talk.stdin.write(Buffer.concat(this.#packed));
    this.#packed = [];
    this.#bytes = 0;
  }

  async drained(): Promise<void> {
    await this.#talk.drained();
  }
}
