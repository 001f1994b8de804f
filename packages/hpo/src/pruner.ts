import { z } from "zod";
import { refuseOption } from "./refuse-option.ts";
import { type Direction, lossOf } from "./trial.ts";

/** Cumulative budgets at which a trial is looked at, such as epochs: [1, 3, 9]. The last is the whole budget. */
const Rungs = z.array(z.number().positive()).min(1);

/** A pruner is plain data, for it enters keys and is stored. */
export const Pruner = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("median"),
    rungs: Rungs,
    startup: z.number().int().nonnegative(),
    warmup: z.number().int().nonnegative(),
  }),
  z.object({ kind: z.literal("asha"), rungs: Rungs, eta: z.number().min(2) }),
]);
export type Pruner = z.infer<typeof Pruner>;

/**
 * Stops a trial that is worse than the median of the others at the same rung.
 *
 * - `startup`: how many others must have reached the rung before anyone is stopped there. Default 5.
 * - `warmup`: at how many of the first rungs nobody is stopped. Default 0.
 *
 * @example median({ rungs: [2, 4, 8], startup: 5, warmup: 1 })
 */
export function median(options: {
  readonly rungs: readonly number[];
  readonly startup?: number;
  readonly warmup?: number;
}): Pruner {
  return checked("median", { kind: "median", startup: 5, warmup: 0, ...options, rungs: [...options.rungs] });
}

/**
 * Asynchronous successive halving, in its stopping form: a trial goes on from a rung if it is within the best 1/eta of
 * all that were seen there, itself among them. The best one seen always goes on.
 *
 * - `eta`: default 3.
 *
 * @example asha({ rungs: [1, 3, 9] })
 */
export function asha(options: { readonly rungs: readonly number[]; readonly eta?: number }): Pruner {
  return checked("asha", { kind: "asha", eta: 3, ...options, rungs: [...options.rungs] });
}

function checked(name: string, pruner: Pruner): Pruner {
  const { success, error } = Pruner.safeParse(pruner);
  if (!success) refuseOption(`${name}: ${z.prettifyError(error)}`, `such as ${name}({ rungs: [1, 3, 9] })`);
  const isRising = pruner.rungs.every((budget, rung) => rung === 0 || budget > (pruner.rungs[rung - 1] as number));
  if (!isRising) refuseOption(`${name}: the rungs ${pruner.rungs.join(", ")} do not rise`, "such as rungs: [1, 3, 9]");
  return pruner;
}

/**
 * Whether a trial goes on from a rung (counted from 0), given what others had there. The order of the others says
 * nothing. Law: if a trial goes on, so does a better one. What is not a finite number does not go on, nor count.
 */
export function shouldContinue(
  pruner: Pruner,
  {
    rung,
    value,
    others,
    direction,
  }: {
    readonly rung: number;
    readonly value: number;
    readonly others: readonly number[];
    readonly direction: Direction;
  },
): boolean {
  if (!Number.isFinite(value)) return false;
  const own = lossOf(value, direction);
  const losses = others.filter(Number.isFinite).map((other) => lossOf(other, direction));
  switch (pruner.kind) {
    case "median":
      return rung < pruner.warmup || losses.length < Math.max(1, pruner.startup) || own <= medianOf(losses);
    case "asha": {
      const places = Math.max(1, Math.floor((losses.length + 1) / pruner.eta));
      return losses.filter((loss) => loss < own).length < places;
    }
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}
