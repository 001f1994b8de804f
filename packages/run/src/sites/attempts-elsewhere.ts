import { createWriteStream, mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ObjectStore, pathIn } from "@wf/data";
import { type AttemptFolder, localRunFolder, siteRunFolder, type TaskRecord } from "@wf/protocol";
import { type Transport, writeDocument } from "@wf/transport";

export interface AttemptsElsewhereOptions {
  readonly run: string;
  /** The store's folder here. */
  readonly folder: string;
  readonly transport: Transport;
  /** The site's storage there. */
  readonly storage: string;
  /** What follows `ssh`, for people to get there. */
  readonly ssh: readonly string[];
}

const MOST_BYTES = 1 << 20;
const STREAMS = ["stdout", "stderr"] as const;

/** What attempts leave on a site, brought to where a person looks for it. */
export class AttemptsElsewhere {
  readonly #options: AttemptsElsewhereOptions;

  constructor(options: AttemptsElsewhereOptions) {
    this.#options = options;
  }

  /** The end of what an attempt printed, and how it can be repeated there. `rank`: the process that failed first. */
  async bring(attempt: string, rank: number, signal: AbortSignal): Promise<void> {
    const { transport } = this.#options;
    const there = this.#there(attempt);
    const here = this.#here(attempt);
    const hasSandbox = (await transport.stat(there.sandbox, signal)) !== undefined;
    const place = { host: transport.name, ssh: this.#options.ssh, folder: there.root, hasSandbox };
    writeDocument(here.place, JSON.stringify(place));
    const files = [...this.#streams(attempt, rank), { local: here.command, remote: there.command }];
    for (const { local, remote } of files) {
      if (!(await this.#isFile(remote, signal))) continue;
      const argv = ["tail", "-c", String(MOST_BYTES), remote] as const;
      const { code, stdout } = await transport.run(
        { argv, isRepeatable: true, maxOutputBytes: 4 * MOST_BYTES },
        signal,
      );
      if (code === 0) writeDocument(local, stdout);
    }
  }

  /** All that an attempt has printed. */
  async bringLogs(attempt: string, rank: number, signal: AbortSignal): Promise<void> {
    for (const { local, remote } of this.#streams(attempt, rank)) {
      if (!(await this.#isFile(remote, signal))) continue;
      await this.#options.transport.download({ local, remote, mode: 0o644 }, signal);
    }
  }

  /** What an attempt prints comes here as it is printed, until the signal. */
  async followLogs(attempt: string, rank: number, signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.#streams(attempt, rank).map(async ({ local, remote }) => {
        const argv = ["tail", "-c", "+1", "-F", remote] as const;
        const process = await this.#options.transport.open({ argv }, signal);
        process.stderr.resume();
        process.exit.catch(() => undefined);
        await pipeline(process.stdout, createWriteStream(local), { signal }).catch(() => undefined);
      }),
    );
  }

  /** The pictures of an attempt, whose content is here already, under their own names. */
  linkPictures({ attempt, pictures = [] }: TaskRecord, objects: ObjectStore): void {
    const { run, folder } = this.#options;
    const place = localRunFolder(folder, run).attempt(attempt).pictures;
    for (const { file } of pictures) {
      const link = pathIn(place, file.name);
      mkdirSync(dirname(link), { recursive: true });
      try {
        symlinkSync(objects.path(file.hash), link);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }

  /** The task could put a pipe there, which would be waited for, or a link to what never ends. */
  async #isFile(remote: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#options.transport.stat(remote, signal))?.kind === "file";
  }

  #streams(attempt: string, rank: number) {
    const [here, there] = [this.#here(attempt), this.#there(attempt)];
    return STREAMS.map((stream) => {
      const local = here.stream(stream, rank);
      mkdirSync(dirname(local), { recursive: true });
      return { local, remote: there.stream(stream, rank) };
    });
  }

  #there(attempt: string): AttemptFolder {
    return siteRunFolder(this.#options.storage, this.#options.run).attempt(attempt);
  }

  #here(attempt: string): AttemptFolder {
    const folder = localRunFolder(this.#options.folder, this.#options.run).attempt(attempt);
    mkdirSync(folder.root, { recursive: true });
    return folder;
  }
}
