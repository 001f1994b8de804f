import type { Colours } from "../format/colour.ts";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";

/** A task that failed, as a person needs it told. */
export interface TaskFailure {
  readonly task: string;
  /** Which attempt was the last. */
  readonly attempt: number;
  /** Why: `exit code 1`. */
  readonly message: string;
  /** The process of a distributed task that failed first; the end of stderr is its own. */
  readonly rank?: number;
  readonly stderrTail: readonly string[];
  /** Null where it was not kept. */
  readonly sandbox: string | null;
  /** The line that repeats it there; null where that cannot be. */
  readonly command: string | null;
}

/** Tasks that were not run because of one failure. */
export interface NotRun {
  readonly task: string;
  readonly others: number;
  /** The task that failed first, and why in two or three words. */
  readonly root: string;
  readonly reason: string;
}

export interface FailureReport {
  readonly run: string;
  /** The first few, in full. */
  readonly failures: readonly TaskFailure[];
  /** How many there were in all. */
  readonly failed: number;
  readonly notRun: readonly NotRun[];
}

export const FAILURES_IN_FULL = 3;
export const STDERR_LINES = 15;

/** The root cause first: what failed and why, what it said, where it lies, how to repeat it; then what it held up. */
export function failureLines(report: FailureReport, colours: Colours): string[] {
  const lines: string[] = [];
  for (const failure of report.failures.slice(0, FAILURES_IN_FULL)) {
    if (lines.length > 0) lines.push("");
    lines.push(...oneFailure(failure, report.run, colours));
  }
  const more = report.failed - Math.min(report.failures.length, FAILURES_IN_FULL);
  if (more > 0) {
    if (lines.length > 0) lines.push("");
    lines.push(`${colours.red(`${counted(more, "more task")} failed`)}: ${allFailedQuery(report.run)}`);
  }
  if (report.notRun.length > 0 && lines.length > 0) lines.push("");
  return [...lines, ...report.notRun.map((entry) => notRunLine(entry))];
}

function oneFailure(failure: TaskFailure, run: string, colours: Colours): string[] {
  const attempt = failure.attempt > 1 ? ` (attempt ${failure.attempt} of ${failure.attempt})` : "";
  const head = `${failure.task} failed: ${printable(failure.message)}${attempt}`;
  const label = (name: string) => `  ${colours.gray(name.padEnd(8))}`;
  return [
    colours.bold(colours.red(`✗ ${head}`)),
    ...failure.stderrTail.map((line) => `  ${colours.gray("│")} ${line}`.trimEnd()),
    ...(failure.stderrTail.length === 0 ? [`  ${colours.gray("it printed nothing to stderr")}`] : []),
    ...(failure.sandbox === null ? [] : [`${label("sandbox")}${failure.sandbox}`]),
    ...(failure.command === null ? [] : [`${label("repeat")}${failure.command}`]),
    `${label("logs")}wf logs ${run} ${failure.task}${failure.rank ? ` --rank ${failure.rank}` : ""}`,
  ];
}

function allFailedQuery(run: string): string {
  return `wf query "SELECT task FROM task WHERE run = '${run}' AND state = 'failed'"`;
}

function notRunLine({ task, others, root, reason }: NotRun): string {
  return `${task} was not run: ${root} failed (${reason})${others > 0 ? ` (+${counted(others, "other")})` : ""}`;
}
