import type { Capacity, JobSpec } from "@wf/backend";
import { TaskRecord } from "@wf/core";
import { z } from "zod";

export const PROTOCOL_VERSION = 1;

/** What the engine says to the launcher, one JSON object a line. */
export type EngineMessage =
  | { readonly op: "hello"; readonly version: typeof PROTOCOL_VERSION; readonly capacity: Capacity }
  | { readonly op: "submit"; readonly jobs: readonly JobSpec[] }
  | { readonly op: "cancel"; readonly attempts: readonly string[] }
  | { readonly op: "release" };

const Hello = z.object({
  event: z.literal("hello"),
  version: z.number(),
  pid: z.number().int(),
  running: z.array(z.string()),
  queued: z.array(z.string()),
});
const Started = z.object({ event: z.literal("started"), attempt: z.string(), startedAt: z.number() });
const Finished = z.object({ event: z.literal("finished"), attempt: z.string(), record: TaskRecord });
const Failed = z.object({ event: z.literal("error"), message: z.string() });

/**
 * What the launcher says to the engine. Checking a whole record costs about 3 microseconds, less than
 * parsing its JSON does, so nothing enters the engine unchecked.
 */
export const LauncherMessage = z.discriminatedUnion("event", [Hello, Started, Finished, Failed]);
export type LauncherMessage = z.infer<typeof LauncherMessage>;
