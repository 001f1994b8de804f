import type { Dice } from "../dice.ts";

/** What can be done to a run. A place says which of them it knows, and how often each is drawn. */
export const ACTS = [
  "kill-wf",
  "kill-launcher",
  "kill-task",
  "kill-all",
  "kill-daemon",
  "cut",
  "fill-disk",
  "turn-clock",
  "gc",
  "second-run",
] as const;
export type Act = (typeof ACTS)[number];

/** Acts that can end a task, so that it may have to start again. */
const ENDS_TASKS: ReadonlySet<Act> = new Set(["kill-launcher", "kill-task", "kill-all", "kill-daemon", "fill-disk"]);

export function canEndTasks(act: Act): boolean {
  return ENDS_TASKS.has(act);
}

export interface Disturbance {
  readonly act: Act;
  /** So many events in the store and lines in the ledger after the one before. */
  readonly after: number;
  /** And so much later, to get between two events. */
  readonly pauseMs: number;
  /** Which process, which daemon, how far: whatever the act has to choose. */
  readonly choice: number;
}

export type Weights = Readonly<Partial<Record<Act, number>>>;

const MOST_EVENTS_BETWEEN = 6;
const LONGEST_PAUSE_MS = 60;
const CHOICES = 1 << 20;

export function drawDisturbances(roll: Dice, weights: Weights, count: number): readonly Disturbance[] {
  const acts = ACTS.flatMap((act) => Array.from({ length: weights[act] ?? 0 }, () => act));
  return Array.from({ length: count }, () => ({
    act: acts[roll(acts.length)] as Act,
    after: roll(MOST_EVENTS_BETWEEN),
    pauseMs: roll(LONGEST_PAUSE_MS),
    choice: roll(CHOICES),
  }));
}
