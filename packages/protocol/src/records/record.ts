import { z } from "zod";
import { PlainName } from "../names/plain-name.ts";
import type { Json } from "../values/json.ts";
import { DirectoryValue, FileValue, Value } from "../values/value.ts";

/** Why an attempt did not succeed. Each class has its own retry policy in the engine. */
export const FAILURE_CLASSES = [
  "exit", // the command ended with a non-zero status
  "signal", // a signal that was not ours ended it
  "out-of-memory", // the kernel or the scheduler ended it for its memory
  "time-limit", // it was still running at its time limit
  "slice-ended", // its time was up, and it left a newer checkpoint: it is not finished, and goes on from there
  "cancelled", // somebody asked for it
  "stage-in", // an input could not be put into the sandbox
  "input-changed", // the task changed one of its inputs
  "output-missing", // a declared output was not written
  "output-invalid", // an output was written but is not what was declared
  "disk-full", // no space left, or over quota
  "not-reached", // its job ended before its turn came: it has failed nothing, and its next attempt costs nothing
  "not-started", // the command could not be started (not found, not executable)
  "interrupted", // its job was told to end, and the scheduler has not said why
  "preempted", // the scheduler gave its place to another job
  "node-failed", // the machine that it ran on went down, or cannot be used
  "lost", // the launcher died with it; it is proven to be dead
  "internal", // a bug in the launcher
] as const;
export const FailureClass = z.enum(FAILURE_CLASSES);
export type FailureClass = z.infer<typeof FailureClass>;

const count = z.number().nonnegative();
const maybe = count.nullable();

/** Figures that this machine cannot measure are null: unknown, never zero. */
export const Usage = z
  .object({
    wallSeconds: count,
    userSeconds: maybe,
    systemSeconds: maybe,
    cpuPercent: maybe,
    /** Peak of the largest process, or of the sampled sum of the tree, whichever is larger. */
    peakMemoryBytes: maybe,
    /** Through the page cache: what read(2) and write(2) moved. */
    readBytes: maybe,
    writtenBytes: maybe,
    diskReadBytes: maybe,
    diskWrittenBytes: maybe,
    voluntarySwitches: maybe,
    involuntarySwitches: maybe,
    majorFaults: maybe,
    minorFaults: maybe,
    gpuPercent: maybe,
    peakGpuMemoryBytes: maybe,
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

const Staged = z.object({ files: count, bytes: count, seconds: count });

/** One point of a trace: seconds since the start, and what the tree used then. */
export const SERIES_COLUMNS = [
  "seconds",
  "cpuPercent",
  "memoryBytes",
  "readBytes",
  "writtenBytes",
  "gpuPercent",
  "gpuMemoryBytes",
] as const;

/** A picture that the task named: a file of its sandbox, kept under its hash and linked beside its log. */
const Picture = z.object({
  name: z.string(),
  step: z.number().nullable(),
  /** Where the task wrote it. */
  path: z.string(),
  /** `file.name` is unique among the pictures of the attempt. */
  file: FileValue,
});

/** What was measured and seen of one process of a distributed task. Null where it left no word. */
export const RankRecord = z.object({
  rank: z.number().int().nonnegative(),
  /** Its number among those of its machine. */
  localRank: z.number().int().nonnegative().nullable(),
  host: z.string().nullable(),
  pid: z.number().int().nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  startedAt: count.nullable(),
  endedAt: count.nullable(),
  usage: Usage.nullable(),
});
export type RankRecord = z.infer<typeof RankRecord>;

/** A value is null where its name is that of a secret: it is then kept from tasks, too. */
export const SetupChanges = z.object({
  set: z.record(z.string(), z.string().nullable()),
  unset: z.array(z.string()),
});
export type SetupChanges = z.infer<typeof SetupChanges>;

const AttemptRecord = z.object({
  version: z.literal(1),
  run: PlainName,
  job: z.string(),
  task: z.string(),
  attempt: PlainName,
  state: z.enum(["succeeded", "failed"]),
  failure: z
    .object({
      class: FailureClass,
      message: z.string(),
      /** The input or output that it is about. */
      name: z.string().optional(),
      /** The process of a distributed task that failed first. */
      rank: z.number().int().nonnegative().optional(),
    })
    .nullable(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  host: z.string(),
  pid: z.number().int().nullable(),
  bootId: z.string().nullable(),
  /** Unix seconds. */
  startedAt: count,
  endedAt: count,
  /** Of a distributed task: what its ranks used together. */
  usage: Usage,
  /** The processes of a distributed task, in order. */
  ranks: z.array(RankRecord).optional(),
  stagedIn: Staged,
  stagedOut: Staged,
  outputs: z.record(z.string(), Value),
  /** What a resumable task that did not finish has left, where it is newer than what it began with. */
  checkpoint: z.union([FileValue, DirectoryValue]).optional(),
  /** Files that the task wrote and did not declare; at most a hundred are named. */
  undeclared: z.array(z.object({ path: z.string(), size: count })),
  /** Processes that the command left behind and that had to be ended. */
  leftoverProcesses: count,
  gpus: z.array(z.number().int()),
  /** What the task reported: one object a step, in order. What is not finite is text: NaN, Infinity, -Infinity. */
  metrics: z.array(z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]))),
  pictures: z.array(Picture).optional(),
  /** Other facts that the task stated of itself; the last one of a name counts. */
  summary: z
    .record(
      z.string(),
      z.custom<Json>((v) => v !== undefined),
    )
    .optional(),
  /** Reports that made no sense, in words. They harm nothing. */
  warnings: z.array(z.string()).optional(),
  /** What the site's lines of setup changed in its environment; absent where they changed nothing. */
  setup: SetupChanges.optional(),
  series: z.array(z.array(z.number().nullable())),
});
export const TaskRecord = AttemptRecord.refine(
  ({ state, failure }) => (state === "succeeded") === (failure === null),
  "it has succeeded with a failure, or failed without one",
);
export type TaskRecord = z.infer<typeof TaskRecord>;
