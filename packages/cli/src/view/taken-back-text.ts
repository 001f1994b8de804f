import type { Fact } from "@wf/engine";
import { printable } from "../format/printable.ts";

/** For who waits for the end of a run: what is held is not waited for. */
export function takenBackText({ attempts, queueJob, reason }: Extract<Fact, { type: "attempts.held" }>): string {
  const tasks = attempts.map(({ task }) => task).join(", ");
  return `${tasks}: job ${queueJob} is held (${printable(reason)}), so it is taken out of the queue; wf resume submits it again`;
}
