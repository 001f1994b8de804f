import { z } from "zod";

const Since = z.object({
  /** Unix seconds. */
  at: z.number(),
  why: z.string(),
});

/** What the scheduler of a site says of a run's jobs, and how often it was asked. */
export const QueueState = z.object({
  /** Jobs that the scheduler has not taken yet. */
  unsubmitted: z.number(),
  running: z.number(),
  /** Those that somebody has to release, by the scheduler's own reason. */
  held: z.record(z.string(), z.number()),
  /** The first of them. */
  heldJobs: z.array(z.string()).readonly().default([]),
  howToRelease: z.string(),
  /** By the scheduler's own reason. */
  waiting: z.record(z.string(), z.number()),
  /** By the name of the command. */
  commands: z.record(z.string(), z.number()),
  /** The connection to the site, while it is lost. */
  lost: Since.nullable().default(null),
  /** The scheduler, while it does not answer. */
  silent: Since.nullable().default(null),
});
export type QueueState = z.infer<typeof QueueState>;
