import { z } from "zod";

/** What a scheduler's own accounting says of the job that carried an attempt. Null: it does not say. */
export const Account = z.object({
  /** In the scheduler's own words. */
  state: z.string(),
  nodes: z.string().nullable(),
  /** From submission to start. */
  waitSeconds: z.number().nullable(),
  wallSeconds: z.number().nullable(),
  cpuSeconds: z.number().nullable(),
  peakMemoryBytes: z.number().nullable(),
  /** Sent to the job's machine by the scheduler's own file transfer. */
  receivedBytes: z.number().nullable(),
  /** Sent back from there. */
  sentBytes: z.number().nullable(),
  /** How often the scheduler began it. */
  starts: z.number().nullable(),
});
export type Account = z.infer<typeof Account>;
