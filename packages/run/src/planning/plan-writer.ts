import { randomBytes } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { PlanHeader, PlanLine } from "@wf/planner";
import { WfError } from "@wf/protocol";

const WRITE_CHARACTERS = 1 << 20;

/** Writes a plan as it comes: JSON lines, the header first. A plan that was there stays until this one is complete. */
export class PlanWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  #text: string;

  constructor(path: string, header: PlanHeader) {
    this.#path = path;
    this.#temporary = `${path}.${randomBytes(8).toString("hex")}`;
    this.#file = explained(path, () => openBeside(path, this.#temporary));
    this.#text = `${JSON.stringify(header)}\n`;
  }

  write(line: PlanLine): void {
    this.#text += `${JSON.stringify(line)}\n`;
    if (this.#text.length >= WRITE_CHARACTERS) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    explained(this.#path, () => renameSync(this.#temporary, this.#path));
  }

  /** The plan could not be made: nothing of it is left. */
  abandon(): void {
    rmSync(this.#temporary, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text);
    explained(this.#path, () => {
      // On a disk that fills up, less is written at first than was given.
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    });
    this.#text = "";
  }
}

function openBeside(path: string, temporary: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a folder");
  return openSync(temporary, "wx");
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    throw new WfError(isFull ? "WF_DISK_FULL" : "WF_USAGE", `the plan cannot be written: ${message}`, {
      where: resolve(path),
      hint: isFull ? "make room there, then try again" : "name a file in a folder that exists: --save plan.jsonl",
      cause,
    });
  }
}
