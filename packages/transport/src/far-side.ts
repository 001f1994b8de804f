import { readFileSync } from "node:fs";
import { WfError } from "@wf/protocol";
import { againIfLost } from "./again-if-lost.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { Command, Process } from "./command.ts";
import { unlessAborted } from "./on-abort.ts";
import { type DiskRoom, type FileDeed, siteFileError } from "./site-file-error.ts";

/** As seen from `src` and `dist` of this package, and from a bundle in a sibling folder of a package. */
const PROGRAM = new URL("../../transport/far-side/far_side.py", import.meta.url);
const NOT_FOUND = 127;
const KEPT_STDERR = 2000;

export type Answer = Readonly<Record<string, unknown>>;

export interface FarSideOptions {
  readonly python: string;
  readonly place: string;
  readonly start: (command: Command, signal: AbortSignal) => Promise<Process>;
}

/** A small program at the far side, for what SFTP cannot do: many files at once, hashes, and reasons. */
export class FarSide {
  readonly #options: FarSideOptions;
  #program: Buffer | undefined;

  constructor(options: FarSideOptions) {
    this.#options = options;
  }

  /** One question, one answer. It may be asked twice, and is where the connection was cut. */
  async ask(request: Answer & { readonly deed: string }, about: FileDeed, signal: AbortSignal): Promise<Answer> {
    return await againIfLost(signal, async () => {
      const talk = await this.talk(request, about, signal);
      talk.stdin.end();
      return await talk.answer();
    });
  }

  /** A question whose answers come one by one, and may have to be asked for. */
  async talk(request: Answer & { readonly deed: string }, about: FileDeed, signal: AbortSignal): Promise<Talk> {
    const { python, place, start } = this.#options;
    this.#program ??= readFileSync(PROGRAM);
    const read = `import sys;exec(sys.stdin.buffer.read(${this.#program.byteLength}))`;
    const process = await start({ argv: [python, "-IS", "-c", read] }, signal);
    process.stdin.on("error", () => undefined);
    process.stdin.write(this.#program);
    process.stdin.write(`${JSON.stringify(request)}\n`);
    return new Talk(process, { python, place, about, signal });
  }
}

/** How full the disk is, where that was asked or is what went wrong. */
export function roomOf({ room }: Answer): DiskRoom | undefined {
  if (!Array.isArray(room)) return undefined;
  const [freeBytes, totalBytes] = room as [number, number];
  return { freeBytes, totalBytes };
}

interface TalkOptions {
  readonly python: string;
  readonly place: string;
  readonly about: FileDeed;
  readonly signal: AbortSignal;
}

export class Talk {
  readonly #process: Process;
  readonly #options: TalkOptions;
  readonly #reader: AnswerReader;
  #stderr = "";

  constructor(process: Process, options: TalkOptions) {
    this.#process = process;
    this.#options = options;
    this.#reader = new AnswerReader(process.stdout);
    process.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-KEPT_STDERR);
    });
  }

  get stdin(): Process["stdin"] {
    return this.#process.stdin;
  }

  async answer(): Promise<Answer> {
    const { place, about, signal } = this.#options;
    const line = await unlessAborted(this.#reader.line(), signal);
    if (line === undefined) throw await this.#silence();
    const answer = JSON.parse(line) as Answer;
    if (typeof answer.errno === "string")
      throw siteFileError(answer.errno, about, String(answer.path), place, undefined, roomOf(answer));
    return answer;
  }

  async bytes(count: number): Promise<Buffer> {
    const bytes = await unlessAborted(this.#reader.bytes(count), this.#options.signal);
    if (bytes === undefined) throw await this.#silence();
    return bytes;
  }

  /** Waits until there is room for more, or throws if there is nobody any more to take it. */
  async drained(): Promise<void> {
    const { stdin, exit } = this.#process;
    if (!stdin.writableNeedDrain) return;
    const room = new Promise<void>((resolve) => stdin.once("drain", resolve));
    const gone = exit.then(async () => {
      throw await this.#silence();
    });
    await unlessAborted(Promise.race([room, gone]), this.#options.signal);
  }

  end(): void {
    this.#process.kill("SIGTERM");
  }

  /** Why the program says nothing more: `exit` tells of a connection that was cut. */
  async #silence(): Promise<WfError> {
    const { python, place } = this.#options;
    const { code, signal } = await this.#process.exit;
    if (code === NOT_FOUND)
      return new WfError("WF_PYTHON_MISSING", `There is no ${python} on the site`, {
        where: place,
        hint: "Name one in sites.yaml: python: /path/to/python3 (3.6 or newer).",
      });
    return new WfError(
      "WF_SITE_COMMAND",
      `${python} ended with ${code ?? signal} on the site: ${this.#stderr.trim()}`,
      {
        where: place,
        hint: "Check that it is Python 3.6 or newer.",
      },
    );
  }
}
