import { closeSync, openSync, writeSync } from "node:fs";
import type { PlanHeader, PlanLine } from "@wf/planner";

const WRITE_CHARACTERS = 1 << 20;

/** Writes a plan as it comes: JSON lines, the header first. */
export class PlanWriter {
  readonly #file: number;
  #text: string;

  constructor(path: string, header: PlanHeader) {
    this.#file = openSync(path, "w");
    this.#text = `${JSON.stringify(header)}\n`;
  }

  write(line: PlanLine): void {
    this.#text += `${JSON.stringify(line)}\n`;
    if (this.#text.length >= WRITE_CHARACTERS) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    writeSync(this.#file, this.#text);
    this.#text = "";
  }
}
