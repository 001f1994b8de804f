import { PreparedRuntime } from "@wf/backend";
import { z } from "zod";

const Progress = z.object({ event: z.literal("progress"), says: z.string(), percent: z.number().nullable() });
const Result = z.discriminatedUnion("event", [
  PreparedRuntime.extend({ event: z.literal("ready") }),
  PreparedRuntime.extend({ event: z.literal("would-find") }),
  z.object({ event: z.literal("would-build"), how: z.string(), says: z.string() }),
  z.object({
    event: z.literal("unavailable"),
    message: z.string(),
    package: z.string().nullable(),
    tried: z.array(z.string()),
    /** What to type or to change. */
    advice: z.array(z.string()),
    /** Whether it is the project's own declaration that must change. */
    isDeclared: z.boolean(),
  }),
]);
export type PreparerResult = z.infer<typeof Result>;

/** A line of the launcher's `prepare`: the last one is the result. */
export const PreparerMessage = z.union([Progress, Result]);
export type PreparerMessage = z.infer<typeof PreparerMessage>;

/** The runtime that a result tells of. */
export function runtimeOf({ key, how, interpreter, bin, python, packages }: PreparedRuntime): PreparedRuntime {
  return { key, how, interpreter, bin, python, packages };
}
