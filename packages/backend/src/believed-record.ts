import { isNestedWithin, MOST_NESTED_DOCUMENT, misfit, TaskRecord, unmeasuredRecord } from "@wf/protocol";

/** What lies on the storage as the record of an attempt, which nobody has looked at yet. */
export type ToldRecord = { readonly document: unknown } | { readonly unreadable: string };

/** Whose record it has to be. */
interface Attempt {
  readonly run: string;
  readonly job: string;
  /** Null where an earlier engine submitted it and nothing says what it was. */
  readonly task: string | null;
  readonly attempt: string;
}

/**
 * The record of an attempt, as far as it may be believed. It comes from where the task itself could have written it, so
 * one that no launcher writes is a failure of that task, whatever else it says.
 */
export function believedRecord(attempt: Attempt, told: ToldRecord, nowSeconds: number): TaskRecord {
  if ("unreadable" in told) return refused(attempt, told.unreadable, nowSeconds);
  // A schema goes down step by step, and would not come back from what is nested without end.
  if (!isNestedWithin(MOST_NESTED_DOCUMENT, told.document)) return refused(attempt, "nested too deeply", nowSeconds);
  const parsed = TaskRecord.safeParse(told.document);
  if (!parsed.success) return refused(attempt, misfit(parsed.error), nowSeconds);
  const why = whyAnothers(attempt, parsed.data);
  return why === null ? parsed.data : refused(attempt, why, nowSeconds);
}

function refused(attempt: Attempt, why: string, nowSeconds: number): TaskRecord {
  const { task } = attempt;
  const about = {
    ...attempt,
    task: task ?? attempt.attempt,
    host: "unknown",
    startedAt: nowSeconds,
    endedAt: nowSeconds,
  };
  const message = `its record is not one that a launcher writes: ${why}`;
  return unmeasuredRecord(about, { class: "output-invalid", message });
}

function whyAnothers({ run, task, attempt }: Attempt, record: TaskRecord): string | null {
  const wanted = { run, attempt, ...(task === null ? {} : { task }) };
  for (const what of ["run", "task", "attempt"] as const) {
    if (wanted[what] === undefined || record[what] === wanted[what]) continue;
    return `${what}: ${JSON.stringify(record[what])} instead of ${JSON.stringify(wanted[what])}`;
  }
  return null;
}
