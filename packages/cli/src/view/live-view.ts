import type { Fact } from "@wf/engine";
import { printable } from "../format/printable.ts";
import { textWidth } from "../format/text-width.ts";
import type { Screen } from "../screen.ts";
import { CursorGuard } from "./cursor-guard.ts";
import { FailureLog } from "./failure-log.ts";
import { finalFrame, liveFrame } from "./live-frame.ts";
import { endingLines } from "./run-ending.ts";
import { RunProgress } from "./run-progress.ts";
import type { RunStart, RunSummary, RunView } from "./run-view.ts";
import { TimeLeftEstimate } from "./time-left.ts";

const FRAME_MS = 100;
/** Without facts, only the seconds change. */
const IDLE_FRAME_MS = 1000;
const FALLBACK_COLUMNS = 80;
const FALLBACK_ROWS = 24;

/**
 * The live view of a terminal. A frame is drawn over the last one with a single write: each line is overwritten and
 * its rest cleared, so nothing is ever blank in between. Facts only count; a clock draws, ten times a second at most.
 */
export class LiveView implements RunView {
  readonly #screen: Screen;
  readonly #cursor: CursorGuard;
  readonly #progress = new RunProgress();
  readonly #failures = new FailureLog();
  readonly #timeLeft = new TimeLeftEstimate();
  #run: RunStart | undefined;
  #startedAt = 0;
  #stopping: "drain" | "cancel" | undefined;
  #broken: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => {};
  #isDirty = true;
  #drawnAt = 0;
  /** Widths of the lines on the screen: after a resize they may take more rows than they did. */
  #drawn: readonly number[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#cursor = new CursorGuard(screen, () => {
      this.#drawn = [];
      this.#isDirty = true;
    });
  }

  begin(run: RunStart): void {
    this.#run = run;
    this.#startedAt = Date.now() / 1000;
    this.#progress.begin(run);
    this.#cursor.hide();
    this.#stopListening = this.#screen.onResize(() => this.#draw());
    this.#draw();
    this.#timer = setInterval(() => {
      const isDue = Date.now() - this.#drawnAt >= (this.#isDirty ? FRAME_MS : IDLE_FRAME_MS) - 5;
      if (isDue) this.#draw();
    }, FRAME_MS);
    this.#timer.unref();
  }

  fact(fact: Fact): void {
    this.#progress.apply(fact);
    this.#failures.note(fact);
    if (fact.type === "run.broken") this.#broken = `${fact.where ?? fact.node}: ${fact.message}`;
    this.#isDirty = true;
  }

  note(text: string): void {
    this.#replace([printable(text)], this.#run === undefined ? [] : this.#frame());
  }

  stopping(how: "drain" | "cancel"): void {
    this.#stopping = how;
    this.#draw();
  }

  end(summary: RunSummary): void {
    clearInterval(this.#timer);
    this.#stopListening();
    this.#progress.settle();
    const { colours } = this.#screen;
    const stages = finalFrame(this.#progress, this.#columns, colours);
    const failures =
      this.#run === undefined
        ? { run: summary.run, failed: 0, failures: [], notRun: [] }
        : this.#failures.report(this.#run);
    const ending = endingLines({ summary, progress: this.#progress, failures, broken: this.#broken }, colours);
    this.#replace([...stages, "", ...ending], []);
    this.#cursor.restore();
  }

  get #columns(): number {
    return Math.max(20, (this.#screen.columns ?? FALLBACK_COLUMNS) - 1);
  }

  #frame(): readonly string[] {
    const now = Date.now() / 1000;
    this.#timeLeft.sample(this.#progress, now);
    return liveFrame(
      {
        title: `${this.#run?.id}  ${this.#run?.workflow} on ${this.#run?.site}`,
        progress: this.#progress,
        cpus: this.#run?.cpus ?? null,
        timeLeft: this.#timeLeft.of(this.#progress, now),
        stopping: this.#stopping,
        failures: this.#failures.headlines,
        startedAt: this.#startedAt,
        now,
      },
      { columns: this.#columns, rows: (this.#screen.rows ?? FALLBACK_ROWS) - 1 },
      this.#screen.colours,
    );
  }

  #draw(): void {
    this.#replace([], this.#frame());
  }

  /** Puts lines that stay, then a frame that does not, where the last frame is. */
  #replace(staying: readonly string[], frame: readonly string[]): void {
    const columns = this.#screen.columns ?? FALLBACK_COLUMNS;
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    const up = Math.min(rows, (this.#screen.rows ?? FALLBACK_ROWS) - 1);
    const lines = [...staying, ...frame].map((line) => `${line}\x1b[K\n`).join("");
    this.#screen.write(`${up > 0 ? `\x1b[${up}A` : ""}\r${lines}\x1b[J`);
    this.#drawn = frame.map(textWidth);
    this.#drawnAt = Date.now();
    this.#isDirty = false;
  }
}
