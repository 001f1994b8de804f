import { colouredText, printableJson } from "@wf/protocol";
import { type Colours, colours } from "./format/colour.ts";

/** Where text goes, and what can be shown there. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly colours: Colours;
  /** Undefined where lines may be of any length, and of a terminal that does not know its size. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Law: a terminal gets text and colours, whoever wrote them, and nothing else that it would obey. */
  write(text: string): void;
  /** What this program itself moves the cursor with. Text in it has gone through `colouredText`. */
  steer(sequence: string): void;
  /** Returns how to stop listening. */
  onResize(listener: () => void): () => void;
}

export interface ScreenOptions {
  /** False for `--no-color`. */
  readonly color?: boolean | undefined;
}

export function screenOf(stream: NodeJS.WriteStream, options: ScreenOptions = {}): Screen {
  return {
    isTerminal: stream.isTTY === true,
    colours: colours({ flag: options.color !== false, isTerminal: stream.isTTY === true, env: process.env }),
    get columns() {
      return stream.columns || undefined;
    },
    get rows() {
      return stream.rows || undefined;
    },
    write(text) {
      stream.write(stream.isTTY === true ? colouredText(text) : text);
    },
    steer(sequence) {
      stream.write(sequence);
    },
    onResize(listener) {
      stream.on("resize", listener);
      return () => stream.off("resize", listener);
    },
  };
}

export function printLines(screen: Screen, lines: readonly string[]): void {
  if (lines.length > 0) screen.write(`${lines.join("\n")}\n`);
}

/** `--json`: one document on one line, so that a stream of them can be read line by line. */
export function printJson(screen: Screen, value: unknown): void {
  screen.write(jsonLine(value));
}

export function jsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`;
}
