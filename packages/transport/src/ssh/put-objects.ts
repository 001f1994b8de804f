import { readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { setImmediate } from "node:timers/promises";
import PQueue from "p-queue";
import { againIfLost } from "../again-if-lost.ts";
import { missingContent, wrongContent } from "../content-error.ts";
import { type ContentFile, checkContentFiles, type MovedObjects, UNFINISHED } from "../content-file.ts";
import type { FarSide, Talk } from "../far-side.ts";
import { FollowingAbort } from "../on-abort.ts";
import { FrameWriter } from "./frame-writer.ts";
import type { SftpMoves } from "./sftp-moves.ts";

/** Up to this size a file goes into the stream; above, it goes by itself, and can go on after a cut. */
export const SMALL_BYTES = 512 * 1024;
export const LARGE_AT_ONCE = 4;
const TURN_MS = 10;
const TRIES = 2;

interface Numbered {
  readonly number: number;
  readonly file: ContentFile;
}

/**
 * Asks which files are missing, and sends those: small ones in one stream, large ones side by side.
 * After a cut it asks again, and so sends only what is still missing.
 */
export async function putObjects(
  farSide: FarSide,
  moves: SftpMoves,
  root: string,
  files: readonly ContentFile[],
  signal: AbortSignal,
): Promise<MovedObjects> {
  checkContentFiles(files);
  const distinct = [...new Map(files.map((file) => [file.remote, file])).values()];
  if (distinct.length === 0) return { moved: 0, movedBytes: 0, kept: 0 };
  let firstMissing: readonly Numbered[] | undefined;
  await againIfLost(signal, async () => {
    const life = new FollowingAbort(signal);
    try {
      const request = {
        deed: "put",
        root,
        unfinished: UNFINISHED,
        files: distinct.map(({ remote, sizeBytes, mode }) => [remote, sizeBytes, mode]),
      };
      const talk = await farSide.talk(request, "write", life.signal);
      const { missing } = await talk.answer();
      const numbered = (missing as number[]).map((number) => ({ number, file: distinct[number] as ContentFile }));
      firstMissing ??= numbered;
      await new Sender(talk, moves, root, life.signal).send(numbered);
    } catch (error) {
      life.abort(error);
      throw error;
    } finally {
      life.letGo();
    }
  });
  const moved = firstMissing?.length ?? 0;
  const movedBytes = firstMissing?.reduce((sum, { file }) => sum + file.sizeBytes, 0) ?? 0;
  return { moved, movedBytes, kept: files.length - moved };
}

class Sender {
  readonly #talk: Talk;
  readonly #moves: SftpMoves;
  readonly #root: string;
  readonly #signal: AbortSignal;
  readonly #frames: FrameWriter;
  /** Who waits for the far side to say whether a large file has arrived. */
  readonly #awaited = new Map<number, (isIntact: boolean) => void>();

  constructor(talk: Talk, moves: SftpMoves, root: string, signal: AbortSignal) {
    this.#talk = talk;
    this.#moves = moves;
    this.#root = root;
    this.#signal = signal;
    this.#frames = new FrameWriter(talk);
  }

  async send(missing: readonly Numbered[]): Promise<void> {
    const small = missing.filter(({ file }) => file.sizeBytes <= SMALL_BYTES);
    const large = missing.filter(({ file }) => file.sizeBytes > SMALL_BYTES);
    const answers = quietly(this.#listen(missing));
    const queue = new PQueue({ concurrency: LARGE_AT_ONCE });
    const sent = quietly(
      Promise.all([
        this.#sendSmall(small),
        ...large.map((one) => queue.add(() => this.#sendLarge(one), { signal: this.#signal })),
      ]),
    );
    await Promise.race([sent, answers]);
    await sent;
    this.#frames.add("E", 0, "");
    this.#frames.flush();
    await answers;
  }

  /**
   * Small files are read at once, not in the background: that costs a fifth, and decides how fast thousands of them go.
   * Others get their turn in between.
   */
  async #sendSmall(small: readonly Numbered[]): Promise<void> {
    let turnEndsAt = performance.now() + TURN_MS;
    for (const { number, file } of small) {
      this.#frames.add("D", number, file.hash, readSource(file));
      await this.#frames.drained();
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      this.#signal.throwIfAborted();
      turnEndsAt = performance.now() + TURN_MS;
    }
    this.#frames.flush();
  }

  async #sendLarge({ number, file }: Numbered): Promise<void> {
    const part = join(this.#root, UNFINISHED, `${file.hash}.part`);
    for (let tries = 1; tries <= TRIES; tries += 1) {
      await this.#moves.sendPart(file.local, file.sizeBytes, part, this.#signal);
      const isIntact = new Promise<boolean>((resolve) => this.#awaited.set(number, resolve));
      this.#frames.add("P", number, file.hash);
      this.#frames.flush();
      if (await isIntact) return;
    }
    throw wrongContent(file.hash, file.local);
  }

  async #listen(missing: readonly Numbered[]): Promise<void> {
    for (;;) {
      const { done, published, intact } = await this.#talk.answer();
      if (done === true) return;
      const resolve = this.#awaited.get(published as number);
      if (resolve) resolve(intact === true);
      else if (intact !== true) {
        const { file } = missing.find(({ number }) => number === published) as Numbered;
        throw wrongContent(file.hash, file.local);
      }
    }
  }
}

function readSource({ local, hash, sizeBytes }: ContentFile): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(local);
  } catch {
    throw missingContent(hash, local);
  }
  if (content.byteLength !== sizeBytes) throw wrongContent(hash, local);
  return content;
}

/** A promise whose failure is looked at later, or by nobody, since another one failed before. */
function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
