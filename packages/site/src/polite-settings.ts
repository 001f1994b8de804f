import { z } from "zod";
import { Seconds } from "./amounts.ts";

/** How often a scheduler is asked about its jobs. */
export const Poll = z
  .strictObject({
    /** How often the queue is asked after something was submitted, or has ended without a record; then less and less often. */
    every: Seconds.default(5),
    /** How seldom at last. */
    atMost: Seconds.default(60),
  })
  .refine(({ every, atMost }) => every <= atMost, "every must not be longer than atMost")
  .prefault({});

/** How much is asked of a scheduler at all. */
export const Budget = z
  .strictObject({
    /** The most commands of the scheduler, to submit, to ask and to cancel, in any stretch of time as long as `per`. */
    commands: z.number().int().min(1).default(120),
    /** The length of that stretch. */
    per: Seconds.default(60),
  })
  .prefault({});
