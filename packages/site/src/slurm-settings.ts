import { z } from "zod";
import { Bytes, Seconds } from "./amounts.ts";
import { Budget, Poll } from "./polite-settings.ts";
import { Line, Shell, Word } from "./site-text.ts";

/** A further line of the submit script: `--mail-type=FAIL`. */
const Directive = Line.regex(/^--?[A-Za-z]/, 'must begin with "-", as an option of sbatch does');

/** What SLURM calls a partition: nodes that share limits. What is not said is not limited, except for GPUs. */
export const SlurmPartition = z.strictObject({
  /** As `sinfo` lists it. */
  name: Word,
  /** The longest time that a job may ask for. */
  maxTime: Seconds.optional(),
  /** The most nodes that one job may have. */
  maxNodes: z.number().int().min(1).optional(),
  /** Cores of its largest node. */
  cpusPerNode: z.number().int().min(1).optional(),
  /** Memory of its largest node. */
  memoryPerNode: Bytes.optional(),
  /** GPUs of a node. A partition has some only if it says so. */
  gpusPerNode: z.number().int().min(0).default(0),
  /** How a GPU is asked for: `gpu`, or with its type: `gpu:a100`. */
  gres: Word.default("gpu"),
  /** In place of the site's own. */
  account: Word.optional(),
  /** In place of the site's own. */
  qos: Word.optional(),
  /** In place of the site's own. */
  constraint: Word.optional(),
});
export type SlurmPartition = z.infer<typeof SlurmPartition>;

/** A few allocations that work off many jobs, one after the other and side by side. */
export const PilotSettings = z.strictObject({
  /** How many there are at most. */
  jobs: z.number().int().min(1).default(2),
  /** Cores of each of them. Jobs that ask for more than a pilot has go to SLURM as jobs of their own. */
  cpus: z.number().int().min(1),
  /** Memory of each of them. */
  memory: Bytes.default(0),
  /** GPUs of each of them. */
  gpus: z.number().int().min(0).default(0),
  /** How long each of them works. */
  time: Seconds.default(3600),
  /** How long it waits for more to do. */
  idle: Seconds.default(30),
});
export type PilotSettings = z.infer<typeof PilotSettings>;

/** How jobs are submitted to a SLURM cluster, and how often it is asked about them. */
export const SlurmSettings = z.strictObject({
  /** In the order in which they are tried: a job goes to the first that it fits into. None: to the cluster's default. */
  partitions: z.array(SlurmPartition).default([]),
  /** Who pays. Default: your default account. */
  account: Word.optional(),
  /** The quality of service. Default: that of the account. */
  qos: Word.optional(),
  /** Features that nodes must have. */
  constraint: Word.optional(),
  /** Whole nodes for every job. */
  exclusive: z.boolean().default(false),
  /** The time limit of jobs whose tasks have none. Default: the partition's own. */
  time: Seconds.optional(),
  /** Further options of sbatch. */
  directives: z.array(Directive).default([]),
  /** Lines of shell that a job runs before its tasks, which [get what they export](#what-setup-changes). */
  setup: z.array(Line).default([]),
  /** The shell of these lines, with its options. `/bin/bash -l` where `module` is there in login shells alone. */
  shell: Shell.default("/bin/sh"),
  /** Default: every job of wf is a job of SLURM. */
  pilots: PilotSettings.optional(),
  limits: z
    .strictObject({
      /** Jobs in the queue at once. */
      jobs: z.number().int().min(1).default(1000),
      /** Elements of one array; SLURM's own limit is MaxArraySize less one. 1 turns arrays off. */
      arraySize: z.number().int().min(1).default(1000),
      /** Elements of one array that may run at once. Default: as many as fit. */
      arrayAtOnce: z.number().int().min(1).optional(),
    })
    .prefault({}),
  /** How long a job that is ready waits for others that are equal to it. Longer, up to 10 s, the more was submitted in the last minute. */
  batchWindow: Seconds.default(0.2),
  poll: Poll,
  budget: Budget,
});
export type SlurmSettings = z.infer<typeof SlurmSettings>;
