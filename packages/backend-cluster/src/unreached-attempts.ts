import type { TaskRecord } from "@wf/protocol";
import type { JobFailure } from "./job-ending.ts";

/** Records of attempts that their jobs did not come to, until those that may be why have been told. */
export class UnreachedAttempts {
  readonly #records = new Map<string, TaskRecord>();

  add(record: TaskRecord): void {
    this.#records.set(record.attempt, record);
  }

  has(attempt: string): boolean {
    return this.#records.has(attempt);
  }

  /** `why`: their job was ended, as far as somebody says. */
  take(attempts: readonly string[], why: JobFailure | null): readonly TaskRecord[] {
    const records = attempts.flatMap((attempt) => this.#records.get(attempt) ?? []);
    for (const attempt of attempts) this.#records.delete(attempt);
    return records.map((record) => ({ ...record, failure: explained(record.failure as JobFailure, why) }));
  }
}

/** Who cancels a job means all of its tasks. Whatever else ended it, they have failed nothing. */
function explained(unreached: JobFailure, why: JobFailure | null): JobFailure {
  if (why === null || unreached.message.endsWith(why.message)) return unreached;
  return why.class === "cancelled" ? why : { ...unreached, message: `${unreached.message}: ${why.message}` };
}
