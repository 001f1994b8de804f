import headless from "@xterm/headless";
import { NO_COLOURS } from "../format/colour.ts";
import type { Screen } from "../screen.ts";

/** A terminal that shows what a person would see, wrapped lines and scrolling included. */
export class EmulatedTerminal implements Screen {
  readonly isTerminal = true;
  readonly colours = NO_COLOURS;
  writes = 0;
  readonly #terminal: headless.Terminal;
  #listener: () => void = () => {};

  constructor(columns: number, rows: number) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  write(text: string): void {
    this.writes += 1;
    this.#terminal.write(text);
  }

  steer(sequence: string): void {
    this.write(sequence);
  }

  onResize(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#settle();
    this.#terminal.resize(columns, rows);
    this.#listener();
  }

  /** All lines with what has scrolled away, without empty ones at the end. */
  async shown(): Promise<string[]> {
    await this.#settle();
    return this.#lines(0);
  }

  /** The lines that are on the screen now. */
  async visible(): Promise<string[]> {
    await this.#settle();
    return this.#lines(this.#terminal.buffer.active.baseY);
  }

  #lines(from: number): string[] {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let row = from; row < active.length; row++) lines.push(active.getLine(row)?.translateToString(true) ?? "");
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  #settle(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write("", resolve));
  }
}
