import type { Capacity } from "@wf/backend";
import type { JobSpec, TaskRecord } from "@wf/protocol";
import { z } from "zod";

export const PROTOCOL_VERSION = 1;

/** What the engine says to the launcher, one JSON object a line. */
export type EngineMessage =
  | { readonly op: "hello"; readonly version: typeof PROTOCOL_VERSION; readonly capacity: Capacity }
  | { readonly op: "submit"; readonly jobs: readonly JobSpec[] }
  | { readonly op: "cancel"; readonly attempts: readonly string[] }
  | { readonly op: "release" };

const Rare = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("hello"),
    version: z.number(),
    pid: z.number().int(),
    running: z.array(z.string()),
    queued: z.array(z.string()),
  }),
  z.object({ event: z.literal("error"), message: z.string() }),
]);

/** What the launcher says to the engine. */
export type LauncherMessage =
  | z.infer<typeof Rare>
  | { readonly event: "started"; readonly attempt: string; readonly startedAt: number }
  | { readonly event: "finished"; readonly attempt: string; readonly record: TaskRecord };

/**
 * The two messages that come for every task are checked by hand, and only for what this package relies on: the
 * launcher has proved its version in `hello`, and a full check costs six times what parsing the JSON costs.
 * Records that are read from the storage are checked in full.
 */
export function parseLauncherMessage(line: string): LauncherMessage {
  const message = JSON.parse(line);
  if (message.event === "started") {
    if (typeof message.attempt === "string" && typeof message.startedAt === "number") return message;
    throw new TypeError("`started` lacks the attempt or its time");
  }
  if (message.event === "finished") {
    const { attempt, record } = message;
    if (typeof attempt === "string" && record?.version === 1 && record.attempt === attempt) return message;
    throw new TypeError("`finished` lacks the record of its attempt");
  }
  return Rare.parse(message);
}
