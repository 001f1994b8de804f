import { closeSync, openSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { AttemptFiles } from "@wf/run";
import { lastState } from "../format/printable.ts";
import { printJson, type Screen } from "../screen.ts";
import type { ShownAttempt } from "./attempt-to-show.ts";

export type StreamName = "stdout" | "stderr";

const CHUNK_BYTES = 256 * 1024;

/** Prints what there is of an attempt's streams; false if there is nothing. */
export function printLog(
  storage: string,
  { run, attempt, rank }: ShownAttempt,
  streams: readonly StreamName[],
  screen: Screen,
  isJson: boolean,
): boolean {
  const files = new AttemptFiles(storage, run, attempt.attempt);
  const filled = streams.filter((stream) => sizeOf(files.stream(stream, rank)) > 0);
  for (const stream of filled) {
    const printer = new StreamPrinter(files.stream(stream, rank), stream, attempt.attempt, screen, isJson);
    if (filled.length > 1 && !isJson) screen.write(headingOf(stream, screen));
    printer.printNew();
    printer.finish();
  }
  return filled.length > 0;
}

export function headingOf(stream: StreamName, screen: Screen): string {
  return `${screen.colours.gray(`── ${stream} ──`)}\n`;
}

/**
 * Prints a growing file from where it stopped the last time: to a terminal and as JSON line by line, as soon as one is
 * complete; to anything else as it is.
 */
export class StreamPrinter {
  readonly #path: string;
  readonly #stream: StreamName;
  readonly #attempt: string;
  readonly #screen: Screen;
  readonly #isJson: boolean;
  readonly #decoder = new StringDecoder("utf8");
  #offset = 0;
  #unfinishedLine = "";

  constructor(path: string, stream: StreamName, attempt: string, screen: Screen, isJson: boolean) {
    this.#path = path;
    this.#stream = stream;
    this.#attempt = attempt;
    this.#screen = screen;
    this.#isJson = isJson;
  }

  get hasNew(): boolean {
    return sizeOf(this.#path) > this.#offset;
  }

  printNew(): void {
    if (!this.hasNew) return;
    const bytes = Buffer.alloc(CHUNK_BYTES);
    const file = openSync(this.#path, "r");
    try {
      for (;;) {
        const count = readSync(file, bytes, 0, bytes.length, this.#offset);
        if (count === 0) return;
        this.#offset += count;
        this.#print(this.#decoder.write(bytes.subarray(0, count)));
      }
    } finally {
      closeSync(file);
    }
  }

  /** Nothing more will come. A last line without an end gets one, so that the prompt stands on its own line. */
  finish(): void {
    if (this.#unfinishedLine === "") return;
    if (this.#isJson) this.#printJson(this.#unfinishedLine);
    else if (this.#screen.isTerminal) this.#screen.write(`${lastState(this.#unfinishedLine)}\n`);
    this.#unfinishedLine = "";
  }

  #print(text: string): void {
    const lines = (this.#unfinishedLine + text).split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    if (!this.#isJson && !this.#screen.isTerminal) this.#screen.write(text);
    else if (!this.#isJson) for (const line of lines) this.#screen.write(`${lastState(line)}\n`);
    else for (const line of lines) this.#printJson(line);
  }

  #printJson(line: string): void {
    printJson(this.#screen, { attempt: this.#attempt, stream: this.#stream, line });
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
