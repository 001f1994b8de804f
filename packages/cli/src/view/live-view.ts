import type { Fact } from "@wf/engine";
import type { QueueState, RunStart, RunSummary } from "@wf/run";
import { printable } from "../format/printable.ts";
import type { Screen } from "../screen.ts";
import { confirmationText } from "./confirmation-text.ts";
import { FailureLog } from "./failure-log.ts";
import { FramePainter } from "./frame-painter.ts";
import { finalFrame, type LiveState, liveFrame } from "./live-frame.ts";
import { endingLines } from "./run-ending.ts";
import { RunProgress } from "./run-progress.ts";
import type { RunView } from "./run-view.ts";
import { runtimeText } from "./runtime-text.ts";
import { takenBackText } from "./taken-back-text.ts";
import { TimeLeftEstimate } from "./time-left.ts";
import { UndeclaredLog } from "./undeclared-log.ts";
import { WarningLog } from "./warning-log.ts";

const FRAME_MS = 100;
/** Without facts, only the seconds change. */
const IDLE_FRAME_MS = 1000;

/** The live view of a terminal. Facts only count; a clock draws, ten times a second at most. */
export class LiveView implements RunView {
  readonly #screen: Screen;
  readonly #painter: FramePainter;
  readonly #progress = new RunProgress();
  readonly #failures = new FailureLog();
  readonly #remarks = [new UndeclaredLog(), new WarningLog()] as const;
  readonly #timeLeft = new TimeLeftEstimate();
  #run: RunStart | undefined;
  #startedAt = 0;
  #keys: LiveState["keys"] = "running";
  #broken: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #queue: QueueState | undefined;
  #isDirty = true;
  #drawnAt = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#painter = new FramePainter(screen, () => this.#draw());
  }

  begin(run: RunStart): void {
    this.#run = run;
    this.#startedAt = Date.now() / 1000;
    this.#progress.begin(run);
    this.#painter.begin();
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
    for (const remarks of this.#remarks) {
      const line = remarks.note(fact);
      if (line !== undefined) this.note(line);
    }
    const confirmation = confirmationText(fact);
    if (confirmation !== undefined) this.note(confirmation);
    if (fact.type === "runtime.ready" && !fact.wasReady) this.note(`python runtime: ${runtimeText(fact)}`);
    if (fact.type === "attempts.held" && fact.isTakenBack) this.note(takenBackText(fact));
    if (fact.type === "run.stopping") {
      this.#keys = fact.how;
      if (fact.why === null) this.#draw();
      else this.note(`stopping: ${fact.why}`);
    }
    if (fact.type === "run.broken") this.#broken = `${fact.where ?? fact.node}: ${fact.message}`;
    this.#isDirty = true;
  }

  note(text: string): void {
    this.#painter.draw(this.#run === undefined ? [] : this.#frame(), [printable(text)]);
  }

  queue(state: QueueState): void {
    this.#queue = state;
    this.#isDirty = true;
  }

  end(summary: RunSummary): void {
    clearInterval(this.#timer);
    this.#progress.settle(summary.status);
    const { colours } = this.#screen;
    const stages = finalFrame(this.#progress, this.#painter.size.columns, colours);
    const failures =
      this.#run === undefined
        ? { run: summary.run, failed: 0, failures: [], notRun: [] }
        : this.#failures.report(this.#run);
    const ending = endingLines({ summary, progress: this.#progress, failures, broken: this.#broken }, colours);
    const rest = this.#remarks.flatMap((remarks) => remarks.rest(summary.run));
    this.#painter.end([...rest, ...stages, "", ...ending]);
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
        queue: this.#queue,
        keys: this.#keys,
        failures: this.#failures.headlines,
        startedAt: this.#startedAt,
        now,
      },
      this.#painter.size,
      this.#screen.colours,
    );
  }

  #draw(): void {
    this.#painter.draw(this.#frame());
    this.#drawnAt = Date.now();
    this.#isDirty = false;
  }
}
