import type { Fact } from "@wf/engine";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";

/** A line about successes that count only once a scheduler has shown how their jobs ended; undefined for other facts. */
export function confirmationText(fact: Fact): string | undefined {
  if (fact.type === "run.confirming") {
    return `waits for the scheduler to show how the jobs of ${counted(fact.successes, "task")} ended`;
  }
  if (fact.type !== "task.revoked") return undefined;
  const why = printable(fact.record.failure?.message ?? "its job was ended from outside");
  return `${fact.task}: ${why}; what it left does not count`;
}
