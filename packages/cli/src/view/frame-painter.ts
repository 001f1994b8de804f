import { colouredText } from "@wf/protocol";
import { textWidth } from "../format/text-width.ts";
import type { Screen } from "../screen.ts";
import { CursorGuard } from "./cursor-guard.ts";

const FALLBACK_COLUMNS = 80;
const FALLBACK_ROWS = 24;

/**
 * Draws frames over each other at the bottom of a terminal. A frame is a single write: each line is overwritten and
 * its rest cleared, so nothing is ever blank in between.
 */
export class FramePainter {
  readonly #screen: Screen;
  readonly #cursor: CursorGuard;
  readonly #redraw: () => void;
  #stopListening: () => void = () => {};
  /** Widths of the lines on the screen: after a resize they may take more rows than they did. */
  #drawn: readonly number[] = [];

  /** `redraw`: the terminal has another size, or the process was stopped and goes on. */
  constructor(screen: Screen, redraw: () => void) {
    this.#screen = screen;
    this.#redraw = redraw;
    this.#cursor = new CursorGuard(screen, () => {
      this.#drawn = [];
      redraw();
    });
  }

  /** What a frame may take; the last column and row stay free, so that a terminal neither wraps nor scrolls. */
  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: Math.max(20, this.#columns - 1), rows: Math.max(3, this.#rows - 1) };
  }

  begin(): void {
    this.#cursor.hide();
    this.#stopListening = this.#screen.onResize(this.#redraw);
  }

  /** Puts lines that stay, then a frame that does not, where the last frame is. */
  draw(frame: readonly string[], staying: readonly string[] = []): void {
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / this.#columns)), 0);
    const up = Math.min(rows, this.#rows - 1);
    const lines = [...staying, ...frame].map((line) => `${colouredText(line)}\x1b[K\n`).join("");
    this.#screen.steer(`${up > 0 ? `\x1b[${up}A` : ""}\r${lines}\x1b[J`);
    this.#drawn = frame.map(textWidth);
  }

  /** Leaves these lines in place of the last frame. */
  end(staying: readonly string[]): void {
    this.#stopListening();
    this.draw([], staying);
    this.#cursor.restore();
  }

  get #columns(): number {
    return this.#screen.columns ?? FALLBACK_COLUMNS;
  }

  get #rows(): number {
    return this.#screen.rows ?? FALLBACK_ROWS;
  }
}
