import type { QueueState } from "@wf/run";
import type { Colours } from "../format/colour.ts";
import { counted, formatCount } from "../format/count.ts";
import { formatElapsed } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { padEnd, textWidth, truncate } from "../format/text-width.ts";
import { queueText, troubleTexts } from "./queue-text.ts";
import type { ActiveTask, RunProgress } from "./run-progress.ts";
import { stageLayout, stageLine } from "./stage-line.ts";
import type { StageProgress } from "./stage-progress.ts";
import type { TimeLeft } from "./time-left.ts";

export interface LiveState {
  readonly title: string;
  readonly progress: RunProgress;
  readonly cpus: number | null;
  readonly timeLeft: TimeLeft | undefined;
  /** What the scheduler says, where there is one. */
  readonly queue: QueueState | undefined;
  /** What Ctrl-C would do: `watching` is a process that does not own the run. */
  readonly keys: "running" | "drain" | "cancel" | "watching";
  /** One line each, newest last. */
  readonly failures: readonly string[];
  /** Unix seconds. */
  readonly startedAt: number;
  readonly now: number;
}

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

const MOST_RUNNING_SHOWN = 8;
const MOST_FAILURES_SHOWN = 3;

/**
 * What the live view shows now. Law: at most `rows` lines, each at most `columns` wide. Where rows are scarce, blank
 * lines go first, then tasks that run, then stages that have nothing to tell.
 */
export function liveFrame(state: LiveState, size: FrameSize, colours: Colours): string[] {
  const head = [headLine(state, size.columns, colours)];
  const foot = footLines(state, size.columns, colours);
  const failures = state.failures.slice(-MOST_FAILURES_SHOWN).map((text) => colours.red(truncate(text, size.columns)));
  const stages = state.progress.stages;
  const preparing = preparingLines(state, size.columns, colours);
  const room = Math.max(1, size.rows - head.length - foot.length - failures.length - preparing.length);
  const wantedRunning = Math.min(state.progress.running.size, MOST_RUNNING_SHOWN);
  const stageRoom = Math.max(1, room - Math.min(wantedRunning, 2));
  const stageLines = shownStages(stages, Math.min(stages.length, stageRoom), size.columns, colours);
  let left = room - stageLines.length;
  const running = runningLines(state, Math.min(wantedRunning, left), size.columns, colours);
  left -= running.length;
  const isRoomy = left >= 2;
  const gap = (lines: readonly string[]) => (isRoomy && lines.length > 0 ? [""] : []);
  const active = [...preparing, ...running];
  const lines = [...head, ...stageLines, ...gap(active), ...active, ...failures, ...gap(foot), ...foot];
  return lines.slice(0, size.rows);
}

/** The stages as they ended, all of them, however many rows the terminal has. */
export function finalFrame(progress: RunProgress, columns: number, colours: Colours): string[] {
  const layout = stageLayout(progress.stages, columns);
  return progress.stages.map((stage) => stageLine(stage, layout, colours));
}

function headLine({ title, startedAt, now }: LiveState, columns: number, colours: Colours): string {
  const elapsed = formatElapsed(now - startedAt);
  const name = truncate(title, columns - elapsed.length - 2);
  return `${colours.bold(name)}  ${colours.gray(elapsed)}`;
}

function shownStages(stages: readonly StageProgress[], room: number, columns: number, colours: Colours): string[] {
  if (stages.length <= room) return linesOf(stages, columns, colours);
  const chosen = new Set(
    [...stages]
      .map((stage, place) => ({ stage, rank: rankOf(stage), place }))
      .sort((a, b) => a.rank - b.rank || (a.rank === RANKS.complete ? b.place - a.place : a.place - b.place))
      .slice(0, Math.max(0, room - 1))
      .map(({ stage }) => stage),
  );
  const hidden = stages.filter((stage) => !chosen.has(stage));
  const complete = hidden.filter((stage) => stage.isComplete).length;
  const active = hidden.filter((stage) => stage.running > 0 || stage.ends.failed > 0).length;
  const parts = [
    ...(complete > 0 ? [`${complete} complete`] : []),
    ...(active > 0 ? [`${active} active`] : []),
    ...(hidden.length > complete + active ? [`${hidden.length - complete - active} to come`] : []),
  ];
  const rest = truncate(`  … ${counted(hidden.length, "more stage")}: ${parts.join(", ")}`, columns);
  return [
    ...linesOf(
      stages.filter((stage) => chosen.has(stage)),
      columns,
      colours,
    ),
    colours.gray(rest),
  ];
}

const RANKS = { failed: 0, running: 1, begun: 2, toCome: 3, complete: 4 };

function rankOf(stage: StageProgress): number {
  if (stage.ends.failed > 0) return RANKS.failed;
  if (stage.running > 0) return RANKS.running;
  if (stage.isComplete) return RANKS.complete;
  return stage.seen > 0 ? RANKS.begun : RANKS.toCome;
}

function linesOf(stages: readonly StageProgress[], columns: number, colours: Colours): string[] {
  const layout = stageLayout(stages, columns);
  return stages.map((stage) => stageLine(stage, layout, colours));
}

/** What keeps tasks waiting although nothing runs. */
function preparingLines({ progress }: LiveState, columns: number, colours: Colours): string[] {
  return [...progress.preparing.values()].map(({ says, percent }) => {
    const share = percent === null ? "" : `  ${percent}%`;
    return colours.yellow(`${truncate(`  python runtime: ${printable(says)}`, columns - share.length)}${share}`);
  });
}

function runningLines({ progress, now }: LiveState, room: number, columns: number, colours: Colours): string[] {
  if (room <= 0) return [];
  const shown = longestRunning(progress.running.values(), room);
  const hidden = progress.running.size - shown.length;
  if (hidden > 0 && shown.length > 1) shown.pop();
  const more = progress.running.size - shown.length;
  const width = Math.min(columns - 10, Math.max(0, ...shown.map(({ task }) => textWidth(task))));
  const lines = shown.map(({ task, startedAt }) => {
    const name = padEnd(truncate(task, width), width);
    return `  ${name}  ${colours.gray(formatElapsed(now - (startedAt ?? now)))}`;
  });
  return more > 0 && shown.length < room ? [...lines, colours.gray(`  … and ${formatCount(more)} more`)] : lines;
}

/** The `count` that started first, in that order, without sorting thousands. */
function longestRunning(tasks: Iterable<ActiveTask>, count: number): ActiveTask[] {
  const shown: ActiveTask[] = [];
  for (const task of tasks) {
    const at = shown.findIndex(({ startedAt }) => (startedAt ?? 0) > (task.startedAt ?? 0));
    if (at >= 0) shown.splice(at, 0, task);
    else if (shown.length < count) shown.push(task);
    if (shown.length > count) shown.pop();
  }
  return shown;
}

function footLines(state: LiveState, columns: number, colours: Colours): string[] {
  const { progress } = state;
  const plus = progress.isGrowing ? "+" : "";
  const percent = progress.total === 0 ? 0 : Math.floor((100 * progress.ended) / progress.total);
  const parts = [
    `${percent}%`,
    `${formatCount(progress.ended)} of ${formatCount(progress.total)}${plus} tasks`,
    cpusText(progress.cpusInUse, state.cpus),
    timeLeftText(state.timeLeft),
  ].filter((part) => part !== "");
  while (parts.length > 1 && parts.join("  ").length > columns) parts.splice(parts.length - 2, 1);
  return [
    `${colours.bold(parts[0] ?? "")}${parts
      .slice(1)
      .map((part) => `  ${part}`)
      .join("")}`,
    ...(state.queue === undefined ? [] : queueLines(state.queue, state.now, columns, colours)),
    keysLine(state, columns, colours),
  ];
}

function queueLines(queue: QueueState, now: number, columns: number, colours: Colours): string[] {
  const troubles = troubleTexts(queue, now).map((text) => colours.yellow(truncate(printable(text), columns)));
  return [truncate(queueText(queue), columns), ...troubles];
}

function keysLine({ keys, progress }: LiveState, columns: number, colours: Colours): string {
  const tasks = counted(progress.running.size, "running task");
  switch (keys) {
    case "cancel":
      return colours.yellow(truncate(`cancelling ${tasks}`, columns));
    case "drain":
      return colours.yellow(truncate(`stopping: waits for ${tasks}. Ctrl-C again: cancel them now`, columns));
    case "watching":
      return colours.gray(truncate("Ctrl-C: stop watching, the run goes on", columns));
    case "running": {
      const full = "Ctrl-C: let running tasks finish and stop. Twice: cancel them now";
      return colours.gray(truncate(full.length <= columns ? full : "Ctrl-C: stop. Twice: cancel", columns));
    }
  }
}

/** A task may be seen to start before the end of another one is: no more is in use than there is. */
function cpusText(inUse: number, cpus: number | null): string {
  const rounded = (amount: number) => String(Math.round(amount * 10) / 10);
  return cpus === null ? `${rounded(inUse)} cpus` : `${rounded(Math.min(inUse, cpus))} of ${rounded(cpus)} cpus`;
}

function timeLeftText(left: TimeLeft | undefined): string {
  if (left === undefined || (left.isLowerBound && left.seconds < 1)) return "";
  return `${left.isLowerBound ? "at least" : "about"} ${formatElapsed(left.seconds)} left`;
}
