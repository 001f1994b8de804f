import { z } from "zod";
import type { Setting } from "./space.ts";

export const Direction = z.enum(["minimise", "maximise"]);
export type Direction = z.infer<typeof Direction>;

/** What a trial had reached after a cumulative budget, such as after 3 epochs. */
export const RungResult = z.object({ budget: z.number().positive(), value: z.number() });
export type RungResult = z.infer<typeof RungResult>;

const identity = {
  index: z.number().int().nonnegative(),
  setting: z.record(z.string(), z.json()) as z.ZodType<Setting>,
  /** In the order of their budgets; empty for a trial without rungs. */
  rungs: z.array(RungResult),
};

/**
 * A trial that has ended. Complete: it has a value for every objective. Pruned: it was stopped at its last rung.
 * Failed: it ended without a value that can be compared.
 */
export const Trial = z.discriminatedUnion("state", [
  z.object({ ...identity, state: z.literal("complete"), values: z.array(z.number()).min(1) }),
  z.object({ ...identity, state: z.literal("pruned"), values: z.null() }),
  z.object({ ...identity, state: z.literal("failed"), values: z.null() }),
]);
export type Trial = z.infer<typeof Trial>;
export type CompleteTrial = Extract<Trial, { state: "complete" }>;

export function isComplete(trial: Trial): trial is CompleteTrial {
  return trial.state === "complete" && trial.values.every(Number.isFinite);
}

/**
 * A trial from what was measured. A value that is not a finite number (the loss of a training that diverged) makes it
 * a failed trial, whatever else went well; so does having no value at all.
 */
export function endedTrial(measured: {
  readonly index: number;
  readonly setting: Setting;
  readonly values: readonly number[] | null;
  readonly rungs?: readonly RungResult[];
  readonly isPruned?: boolean;
}): Trial {
  const { index, setting, values, rungs = [], isPruned = false } = measured;
  const finite = rungs.filter(({ value }) => Number.isFinite(value));
  const trial = { index, setting, rungs: finite };
  if (finite.length < rungs.length) return { ...trial, state: "failed", values: null };
  if (isPruned) return { ...trial, state: "pruned", values: null };
  if (values === null || values.length === 0 || !values.every(Number.isFinite))
    return { ...trial, state: "failed", values: null };
  return { ...trial, state: "complete", values: [...values] };
}

/** Objectives as losses, of which less is better, whatever their directions. */
export function lossesOf(values: readonly number[], directions: readonly Direction[]): readonly number[] {
  return values.map((value, objective) => lossOf(value, directions[objective]));
}

export function lossOf(value: number, direction: Direction | undefined): number {
  return direction === "maximise" ? -value : value;
}
