import { NO_COLOURS } from "../format/colour.ts";
import type { Screen } from "../screen.ts";

/** A screen that remembers what was written to it. */
export class CapturedScreen implements Screen {
  readonly isTerminal = false;
  readonly colours = NO_COLOURS;
  readonly columns: number | undefined;
  readonly rows = undefined;
  text = "";
  writes = 0;

  constructor(columns?: number) {
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
    this.writes += 1;
  }

  steer(sequence: string): void {
    this.write(sequence);
  }

  onResize(): () => void {
    return () => {};
  }

  get lines(): string[] {
    return this.text.split("\n").slice(0, -1);
  }

  get json(): unknown[] {
    return this.lines.map((line) => JSON.parse(line));
  }
}
