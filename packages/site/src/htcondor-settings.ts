import { z } from "zod";
import { Bytes, Seconds } from "./amounts.ts";
import { Budget, Poll } from "./polite-settings.ts";
import { Line, Shell, Word } from "./site-text.ts";

/** A further line of the submit description: `key = value`, or `+Attribute = expression`. */
const DescriptionLine = Line.regex(
  /^[+]?[A-Za-z_][\w.]*\s*=/,
  'must be "key = value" or "+Attribute = expression", as in a submit description',
).refine((line) => !/^(queue|log|arguments|executable)\s*=/i.test(line), "is set by wf itself");

/** How jobs are submitted to an HTCondor pool, and how often it is asked about them. */
export const HtcondorSettings = z.strictObject({
  /** An expression that a machine has to fulfil, beside what wf asks for. */
  requirements: Line.optional(),
  /** An expression: machines where it is greater are taken first. */
  rank: Line.optional(),
  /** Who pays. Default: your own quota. */
  accountingGroup: Word.optional(),
  /** In whose name. Default: who submits. */
  accountingGroupUser: Word.optional(),
  /** Further lines of the submit description. */
  description: z.array(DescriptionLine).default([]),
  /** Lines of shell that a job runs before its tasks. */
  setup: z.array(Line).default([]),
  /** The shell of these lines, with its options. `/bin/bash -l` where `module` is there in login shells alone. */
  shell: Shell.default("/bin/sh"),
  /** What the largest machine has: a task that asks for more is refused before a run. What is not said is not limited, except for GPUs. */
  largest: z
    .strictObject({
      /** Cores of the largest machine. */
      cpus: z.number().int().min(1).optional(),
      /** Memory of the largest machine. */
      memory: Bytes.optional(),
      /** GPUs of the machine that has the most. */
      gpus: z.number().int().min(0).default(0),
    })
    .prefault({}),
  /** Where the launcher on a machine fetches content and delivers it under `placement: copy`: the site's storage over ssh or http, as the machines reach it. */
  store: z
    .string()
    .regex(/^(ssh|https?):\/\/[^\s/]+(\/\S*)?$/, "must be ssh://user@host/folder or https://host/path")
    .optional(),
  limits: z
    .strictObject({
      /** Jobs in the queue at once. */
      jobs: z.number().int().min(1).default(1000),
      /** Jobs of one submission. 1 submits each by itself. */
      perSubmission: z.number().int().min(1).default(1000),
    })
    .prefault({}),
  /** How long a job that is ready waits for others that are equal to it. Longer, up to 10 s, the more was submitted in the last minute. */
  batchWindow: Seconds.default(0.2),
  poll: Poll,
  budget: Budget,
});
export type HtcondorSettings = z.infer<typeof HtcondorSettings>;
