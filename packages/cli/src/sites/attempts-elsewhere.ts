import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { TaskRecord } from "@wf/core";
import type { ObjectStore } from "@wf/data";
import type { Transport } from "@wf/transport";
import { AttemptFiles, PLACE_FILE } from "../view/attempt-files.ts";

export interface AttemptsElsewhereOptions {
  readonly run: string;
  /** The store's folder here. */
  readonly folder: string;
  readonly transport: Transport;
  /** The site's storage there. */
  readonly storage: string;
}

const MOST_BYTES = 1 << 20;

/** What attempts leave on a site, brought to where a person looks for it. */
export class AttemptsElsewhere {
  readonly #options: AttemptsElsewhereOptions;

  constructor(options: AttemptsElsewhereOptions) {
    this.#options = options;
  }

  /** The end of what an attempt printed, and how it can be repeated there. */
  async bring(attempt: string, signal: AbortSignal): Promise<void> {
    const { run, folder, transport, storage } = this.#options;
    const there = posix.join(storage, "runs", run, "attempts", attempt);
    const here = new AttemptFiles(folder, run, attempt);
    mkdirSync(here.folder, { recursive: true });
    const hasSandbox = (await transport.stat(posix.join(there, "sandbox"), signal)) !== undefined;
    writeWhole(join(here.folder, PLACE_FILE), JSON.stringify({ host: transport.name, folder: there, hasSandbox }));
    for (const name of ["stdout", "stderr", "command.json"]) {
      const argv = ["tail", "-c", String(MOST_BYTES), posix.join(there, name)] as const;
      const { code, stdout } = await transport.run(
        { argv, isRepeatable: true, maxOutputBytes: 4 * MOST_BYTES },
        signal,
      );
      if (code === 0) writeWhole(join(here.folder, name), stdout);
    }
  }

  /** The pictures of an attempt, whose content is here already, under their own names. */
  linkPictures({ attempt, pictures = [] }: TaskRecord, objects: ObjectStore): void {
    const { run, folder } = this.#options;
    const place = new AttemptFiles(folder, run, attempt).pictures;
    for (const { file } of pictures) {
      const link = join(place, file.name);
      mkdirSync(dirname(link), { recursive: true });
      try {
        symlinkSync(objects.path(file.hash), link);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }
}

function writeWhole(path: string, content: string): void {
  writeFileSync(`${path}.part`, content);
  renameSync(`${path}.part`, path);
}
