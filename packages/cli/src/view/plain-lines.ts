import type { Fact } from "@wf/engine";
import type { QueueState, RunStart, RunSummary } from "@wf/run";
import { counted, formatCount } from "../format/count.ts";
import { formatDuration, formatElapsed } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { formatTime } from "../format/time.ts";
import { printLines, type Screen } from "../screen.ts";
import { confirmationText } from "./confirmation-text.ts";
import { FailureLog } from "./failure-log.ts";
import { queueText } from "./queue-text.ts";
import { endingLines } from "./run-ending.ts";
import { RunProgress } from "./run-progress.ts";
import type { RunView } from "./run-view.ts";
import { runtimeText } from "./runtime-text.ts";
import type { StageProgress } from "./stage-progress.ts";
import { takenBackText } from "./taken-back-text.ts";
import { UndeclaredLog } from "./undeclared-log.ts";
import { WarningLog } from "./warning-log.ts";

export interface PlainLinesOptions {
  /** Only failures and the end. Default false. */
  readonly isQuiet?: boolean;
}

/** A stage of at most so many tasks is told task by task; a larger one in summaries. */
const TASKS_TOLD_SINGLY = 8;
const FAILURES_TOLD_SINGLY = 20;
const RETRIES_TOLD_SINGLY = 20;
const UNREACHED_TOLD_SINGLY = 20;
const FIRST_SUMMARY_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * One line an event worth reading, with its time: for log files and pipes. The number of lines grows with the number
 * of stages and with time, never with the number of tasks: between summaries the pause doubles up to a minute.
 */
export class PlainLines implements RunView {
  readonly #screen: Screen;
  readonly #isQuiet: boolean;
  readonly #progress = new RunProgress();
  readonly #failures = new FailureLog();
  readonly #remarks = [new UndeclaredLog(), new WarningLog()] as const;
  readonly #toldComplete = new Set<StageProgress>();
  #run: RunStart | undefined;
  #broken: string | undefined;
  #retriesTold = 0;
  #unreachedTold = 0;
  #preparationTold = "";
  #reasonsTold = "";
  #isSilenceTold = false;
  #pauseMs = FIRST_SUMMARY_MS;
  #summaryAt = 0;
  #endedAtSummary = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, options: PlainLinesOptions = {}) {
    this.#screen = screen;
    this.#isQuiet = options.isQuiet ?? false;
  }

  begin(run: RunStart): void {
    this.#run = run;
    this.#progress.begin(run);
    this.#tell(`run ${run.id}: ${run.workflow} on ${run.site}, ${counted(run.stages.length, "stage")}`);
    this.#summaryAt = Date.now();
    this.#timer = setInterval(() => this.#summarise(), 1000);
    this.#timer.unref();
  }

  fact(fact: Fact): void {
    this.#progress.apply(fact);
    const headline = this.#failures.note(fact);
    if (headline !== undefined && this.#failures.count <= FAILURES_TOLD_SINGLY) this.#print(headline);
    for (const remarks of this.#remarks) {
      const line = remarks.note(fact);
      if (line !== undefined) this.#tell(line);
    }
    switch (fact.type) {
      case "runtime.preparing":
        if (fact.says !== this.#preparationTold) this.#tell(`python runtime: ${printable(fact.says)}`);
        this.#preparationTold = fact.says;
        break;
      case "runtime.ready":
        this.#tell(`python runtime: ${runtimeText(fact)}`);
        break;
      case "attempt.started":
        if (isSmall(this.#progress.stage(fact.stage))) this.#tell(`${fact.task} started`);
        break;
      case "attempts.held":
        if (fact.isTakenBack) this.#tell(takenBackText(fact));
        break;
      case "task.retry":
        this.#retriesTold += 1;
        if (this.#retriesTold > RETRIES_TOLD_SINGLY) break;
        this.#tell(`${fact.task}: ${printable(fact.message)}; tried again ${restText(fact.inSeconds)}`);
        break;
      case "task.unreached":
        this.#unreachedTold += 1;
        if (this.#unreachedTold > UNREACHED_TOLD_SINGLY) break;
        this.#tell(`${fact.task} not reached: ${printable(fact.message)}; it waits for another job`);
        break;
      case "task.sliced":
        this.#tell(`${fact.task}: ${printable(fact.message)}; goes on with slice ${fact.slice}`);
        break;
      case "task.revoked":
      case "run.confirming":
        this.#tell(confirmationText(fact) ?? "");
        break;
      case "task.ended":
        this.#tellEnd(fact, this.#progress.stage(fact.stage));
        break;
      case "run.stopping": {
        const tasks = counted(this.#progress.running.size, "running task");
        const why = fact.why === null ? "" : ` (${printable(fact.why)})`;
        this.#tell(fact.how === "drain" ? `stopping: waits for ${tasks}${why}` : `cancelling ${tasks}`);
        break;
      }
      case "run.broken":
        this.#broken = `${fact.where ?? fact.node}: ${fact.message}`;
        break;
    }
  }

  note(text: string): void {
    this.#tell(printable(text));
  }

  /** Why jobs wait is worth a line when it is new; how many, is not. */
  queue(state: QueueState): void {
    this.#tellSilence(state);
    const reasons = [...Object.keys(state.waiting), ...Object.keys(state.held)].sort().join(", ");
    if (reasons === this.#reasonsTold) return;
    this.#reasonsTold = reasons;
    if (reasons !== "" && !this.#isQuiet) this.#tell(queueText(state));
  }

  #tellSilence({ silent }: QueueState): void {
    const isSilent = silent !== null;
    if (isSilent === this.#isSilenceTold) return;
    this.#isSilenceTold = isSilent;
    this.#tell(isSilent ? `the scheduler does not answer: ${printable(silent.why)}` : "the scheduler answers again");
  }

  end(summary: RunSummary): void {
    clearInterval(this.#timer);
    const { colours } = this.#screen;
    this.#progress.settle(summary.status);
    for (const stage of this.#progress.stages) {
      if (!isSmall(stage) && !this.#toldComplete.has(stage)) this.#tell(stageText(stage));
    }
    for (const line of this.#remarks.flatMap((remarks) => remarks.rest(summary.run))) this.#tell(line);
    const failures =
      this.#run === undefined
        ? { run: summary.run, failed: 0, failures: [], notRun: [] }
        : this.#failures.report(this.#run);
    const ending = endingLines({ summary, progress: this.#progress, failures, broken: this.#broken }, colours);
    printLines(this.#screen, this.#isQuiet ? ending : ["", ...ending]);
  }

  #tellEnd(fact: Extract<Fact, { type: "task.ended" }>, stage: StageProgress): void {
    if (!isSmall(stage)) {
      if (!stage.isComplete || stage.isGrowing) return;
      this.#toldComplete.add(stage);
      this.#tell(stageText(stage));
    } else if (fact.replayed) {
      return;
    } else if (fact.state === "done") {
      this.#tell(
        `${fact.task} done${stage.lastSeconds === undefined ? "" : ` in ${formatDuration(stage.lastSeconds)}`}`,
      );
    } else if (fact.state === "cached") {
      this.#tell(`${fact.task} cached${fact.cachedFrom ? ` from ${fact.cachedFrom.run} ${fact.cachedFrom.task}` : ""}`);
    } else if (fact.state === "cancelled") {
      this.#tell(`${fact.task} cancelled`);
    }
  }

  #summarise(): void {
    const { ended } = this.#progress;
    const now = Date.now();
    if (now - this.#summaryAt < this.#pauseMs || ended === this.#endedAtSummary) return;
    this.#summaryAt = now;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    this.#endedAtSummary = ended;
    const under = this.#progress.stages.filter((stage) => stage.seen > 0 && !(stage.isComplete && !stage.isGrowing));
    const large = under.filter((stage) => !isSmall(stage));
    if (large.length > 0) this.#tell(large.map(stageText).join("; "));
  }

  #tell(text: string): void {
    if (!this.#isQuiet) this.#print(text);
  }

  #print(text: string): void {
    this.#screen.write(`${this.#screen.colours.gray(formatTime(Date.now() / 1000))} ${text}\n`);
  }
}

function isSmall(stage: StageProgress): boolean {
  return stage.total <= TASKS_TOLD_SINGLY;
}

/** `preprocess: 4,210 of 10,000 tasks ended, 3,000 cached, 2 failed, 8 running, 1.20s each`. */
function stageText(stage: StageProgress): string {
  const { failed, cached } = stage.ends;
  const counts = [
    [failed, "failed"],
    [cached, "cached"],
    [stage.notRun, "not run"],
    [stage.running, "running"],
  ] as const;
  const parts = [
    `${formatCount(stage.ended)} of ${formatCount(stage.total)}${stage.isGrowing ? "+" : ""} tasks ended`,
    ...counts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`),
    ...(stage.meanSeconds === undefined ? [] : [`${formatDuration(stage.meanSeconds)} each`]),
  ];
  return `${stage.name}: ${parts.join(", ")}`;
}

function restText(seconds: number): string {
  return seconds <= 0 ? "at once" : `in ${formatElapsed(Math.ceil(seconds))}`;
}
