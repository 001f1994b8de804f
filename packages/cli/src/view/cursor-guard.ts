import type { Screen } from "../screen.ts";

const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";
const DEADLY = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Hides the cursor, and gives it back however the process ends or stops: a shell without a cursor is broken.
 * SIGINT belongs to whoever runs the view.
 */
export class CursorGuard {
  readonly #screen: Screen;
  readonly #onContinue: () => void;
  readonly #show = () => this.#screen.steer(SHOW);
  readonly #die = (signal: NodeJS.Signals) => {
    // Whoever else listens decides what comes of the signal, and the view goes on until its end.
    if (process.listenerCount(signal) > 1) return;
    this.restore();
    process.kill(process.pid, signal);
  };
  readonly #suspend = () => {
    this.#show();
    process.kill(process.pid, "SIGSTOP");
  };
  readonly #resume = () => {
    this.#screen.steer(HIDE);
    this.#onContinue();
  };

  /** `onContinue`: the process was stopped (Ctrl-Z) and goes on; other programs have written to the terminal since. */
  constructor(screen: Screen, onContinue: () => void) {
    this.#screen = screen;
    this.#onContinue = onContinue;
  }

  hide(): void {
    this.#screen.steer(HIDE);
    process.on("exit", this.#show);
    for (const signal of DEADLY) process.on(signal, this.#die);
    process.on("SIGTSTP", this.#suspend);
    process.on("SIGCONT", this.#resume);
  }

  restore(): void {
    process.off("exit", this.#show);
    for (const signal of DEADLY) process.off(signal, this.#die);
    process.off("SIGTSTP", this.#suspend);
    process.off("SIGCONT", this.#resume);
    this.#show();
  }
}
