import { z } from "zod";
import { Bytes, Seconds } from "./amounts.ts";
import { Budget, Poll } from "./polite-settings.ts";
import { Line, Shell, Word } from "./site-text.ts";

/** A line of the submit description may not go on in the next one. */
const DescriptionText = Line.regex(/[^\\\s]\s*$/, "must not end with a backslash");

/** What wf itself says of jobs, and what would have HTCondor execute a job twice. */
const NOT_YOURS =
  /^(arguments|error|executable|initialdir|job_ad_information_attrs|kill_sig|log|log_xml|max_retries|on_exit_(hold|remove)|output|periodic_release|queue|remove_kill_sig|requirements|retry_(until|request_memory\w*)|should_transfer_files|transfer_(executable|input_files|output_files|output_remaps)|universe|when_to_transfer_output)\s*=/i;

/** A further line of the submit description: `key = value`, or `+Attribute = expression`. */
const DescriptionLine = DescriptionText.regex(
  /^[+]?[A-Za-z_][\w.]*\s*=/,
  'must be "key = value" or "+Attribute = expression", as in a submit description',
).refine((line) => !NOT_YOURS.test(line), "is for wf to say");

/** What others on the way can read. */
const CLEAR_TEXT = /^http:\/\/(?!(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(\/|$))/;

const AbsolutePath = z.string().regex(/^\//, "must be an absolute path");

/** How jobs are submitted to an HTCondor pool, and how often it is asked about them. */
export const HtcondorSettings = z.strictObject({
  /** An expression that a machine has to fulfil, beside what wf asks for. */
  requirements: DescriptionText.optional(),
  /** An expression: machines where it is greater are taken first. */
  rank: DescriptionText.optional(),
  /** Who pays. Default: your own quota. */
  accountingGroup: Word.optional(),
  /** In whose name. Default: who submits. */
  accountingGroupUser: Word.optional(),
  /** Further lines of the submit description. */
  description: z.array(DescriptionLine).default([]),
  /** Lines of shell that a job runs before its tasks, which [get what they export](#what-setup-changes). */
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
  /** Where the launcher on a machine fetches content and delivers it under `placement: copy`. */
  store: z
    .strictObject({
      /** The site's storage as the machines reach it: `ssh://user@host/folder`, or `https://host/path`. */
      url: z
        .string()
        .regex(/^(ssh|https?):\/\/[^\s/]+(\/\S*)?$/, "must be ssh://user@host/folder or https://host/path"),
      /** A private key on the submit host, which goes with each job. Default: those that ssh finds on the machine. */
      identity: AbsolutePath.optional(),
      /** A file of known host keys on the submit host, which goes with each job. Default: those of the machine. */
      knownHosts: AbsolutePath.optional(),
      /** The variable of your environment that holds the bearer token with which an http server is read. Its value reaches no file. */
      tokenVariable: Word.optional(),
      /** The same for the token with which it is written. Default: that with which it is read. */
      writeTokenVariable: Word.optional(),
    })
    .refine(({ url, tokenVariable, writeTokenVariable }) => {
      return (tokenVariable ?? writeTokenVariable) === undefined || !CLEAR_TEXT.test(url);
    }, "a token goes over https alone, or over http to this machine (127.0.0.1, ::1, localhost)")
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
