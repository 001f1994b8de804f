import { z } from "zod";
import { DirectoryValue, FileValue, Value } from "../values/value.ts";
import { LAUNCHES } from "./launches.ts";

/**
 * What a launcher is handed: one job of one or more tasks. The engine has resolved everything, so
 * `argv` holds plain strings and paths relative to the sandbox, which is the working directory.
 */
const StagedInput = z.object({
  /** Shown in errors: the input's name, or `code` for the task's own files. */
  name: z.string(),
  /** Where it goes in the sandbox. */
  path: z.string(),
  value: Value,
  how: z.enum(["link", "copy"]),
});

const DeclaredOutput = z.object({
  name: z.string(),
  /** Where the task writes it, relative to the sandbox. */
  path: z.string(),
  kind: z.enum(["file", "directory", "dataset", "json"]),
  /** For datasets: which columns are files and which are values. */
  columns: z.record(z.string(), z.enum(["file", "value"])).optional(),
  optional: z.boolean().optional(),
});

/** How the processes of a distributed task, its ranks, are spread out and started. */
const Ranks = z.object({
  nodes: z.number().int().positive(),
  perNode: z.number().int().positive(),
  /** Null leaves it to the backend. */
  launch: z.enum(LAUNCHES).nullable(),
});

/** A task that goes on where an earlier attempt ended, and leaves what a later one needs. */
const Checkpoint = z.object({
  /** The declared output, a file or a folder, that it is. */
  output: z.string(),
  /** What the attempt begins with, at the place of that output and free to be overwritten. Absent in the first slice. */
  from: z.union([FileValue, DirectoryValue]).optional(),
});

export const TaskSpec = z.object({
  task: z.string(),
  attempt: z.string(),
  /** Attempts of the same job that must have succeeded before this one starts. */
  after: z.array(z.string()),
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  /** Folders that come first on the task's PATH: those of its runtime. */
  path: z.array(z.string()).optional(),
  /** Names in `env` whose values must reach no file. */
  secrets: z.array(z.string()).optional(),
  inputs: z.array(StagedInput),
  outputs: z.array(DeclaredOutput),
  checkpoint: Checkpoint.optional(),
  /** Written with the paths into `task.json` beside the sandbox, which WF_TASK names. */
  params: z.record(z.string(), z.unknown()),
  /** Absent for a task of one process. A distributed task is alone in its job. */
  ranks: Ranks.optional(),
  /** Of all its ranks together, as are memory and gpus. */
  cpus: z.number().positive(),
  memoryBytes: z.number().nonnegative(),
  gpus: z.number().int().nonnegative(),
  timeLimitSeconds: z.number().positive().nullable(),
  /** From SIGTERM to SIGKILL. */
  graceSeconds: z.number().nonnegative(),
  /** Before the limit: SIGUSR2, so that the task can write a checkpoint. 0 sends none. */
  warnSeconds: z.number().nonnegative(),
  keepSandbox: z.enum(["never", "failed", "always"]),
});
export type TaskSpec = z.infer<typeof TaskSpec>;

export const JobSpec = z.object({
  version: z.literal(1),
  run: z.string(),
  job: z.string(),
  /** The site's storage: `objects/` and `runs/RUN/` lie under it. */
  storage: z.string(),
  cpus: z.number().positive(),
  memoryBytes: z.number().nonnegative(),
  gpus: z.number().int().nonnegative(),
  /** Room for what its tasks write. Absent where none is asked for. */
  diskBytes: z.number().positive().optional(),
  tasks: z.array(TaskSpec).min(1),
});
export type JobSpec = z.infer<typeof JobSpec>;
