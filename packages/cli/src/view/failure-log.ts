import type { Fact, FailureCause } from "@wf/engine";
import type { TaskRecord } from "@wf/protocol";
import type { RunStart } from "@wf/run";
import { AttemptFiles } from "@wf/run";
import { describeFailure, nameFailure } from "./describe-failure.ts";
import { FAILURES_IN_FULL, type FailureReport, type NotRun, STDERR_LINES, type TaskFailure } from "./failure-report.ts";

type Ended = Extract<Fact, { type: "task.ended" }>;

interface Failed {
  readonly task: string;
  readonly attempt: string | undefined;
  readonly number: number;
  readonly message: string;
  readonly reason: string;
  readonly rank: number | undefined;
}

/** Remembers the first failures of a run and what they held up; the rest it only counts. */
export class FailureLog {
  /** One line for each of the first failures. */
  readonly headlines: string[] = [];
  readonly #failed: Failed[] = [];
  #count = 0;
  #tolerated = 0;
  readonly #notRun = new Map<string, { readonly task: string; others: number; readonly message: string }>();
  /** Of tasks that have not ended: the record of the last attempt if it failed, its number if it is not the first. */
  readonly #records = new Map<string, TaskRecord>();
  readonly #numbers = new Map<string, number>();

  /** The line to show, if this fact is a failure. */
  note(fact: Fact): string | undefined {
    switch (fact.type) {
      case "attempt.submitted":
        if (fact.number > 1) this.#numbers.set(fact.task, fact.number);
        return undefined;
      case "attempt.finished":
        if (fact.record.state === "failed") this.#records.set(fact.task, fact.record);
        return undefined;
      case "task.ended":
        return this.#end(fact);
      case "task.outdated":
        if (fact.was === "failed") this.#takeBack(fact.task);
        return undefined;
      case "run.rewound":
        this.#notRun.clear();
        return undefined;
      default:
        return undefined;
    }
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Reads what the failed attempts left on the site's storage. Where the workflow allows for all that failed, there is
   * nothing to mend; where something failed for good, what was allowed to fail may be why.
   */
  report(run: RunStart): FailureReport {
    if (this.#tolerated === this.#count) return { run: run.id, failed: 0, failures: [], notRun: [] };
    return {
      run: run.id,
      failed: this.#count,
      failures: this.#failed.map((failed) => inFull(failed, run)),
      notRun: [...this.#notRun].map(([root, { task, others, message }]): NotRun => {
        return { task, others, root, reason: this.#failed.find((failed) => failed.task === root)?.reason ?? message };
      }),
    };
  }

  #end(fact: Ended): string | undefined {
    const record = this.#records.get(fact.task);
    const number = this.#numbers.get(fact.task) ?? 1;
    if (this.#records.size > 0) this.#records.delete(fact.task);
    if (this.#numbers.size > 0) this.#numbers.delete(fact.task);
    if (fact.state === "failed") return this.#fail(fact, record, number);
    if (fact.state === "skipped" && fact.cause !== undefined) this.#skip(fact.task, fact.cause);
    return undefined;
  }

  #fail({ task, cause, tolerated }: Ended, record: TaskRecord | undefined, number: number): string {
    const why = {
      class: cause?.class ?? record?.failure?.class,
      message: cause?.message ?? record?.failure?.message ?? "unknown",
      exitCode: record?.exitCode ?? null,
      rank: record?.failure?.rank,
    };
    const message = describeFailure(why);
    this.#count += 1;
    if (tolerated) this.#tolerated += 1;
    const which = number > 1 ? ` (attempt ${number} of ${number})` : "";
    const headline = `✗ ${task} failed: ${message}${which}${tolerated ? "; the run goes on without it" : ""}`;
    if (this.#failed.length < FAILURES_IN_FULL) {
      const attempt = cause?.attempt ?? record?.attempt;
      this.#failed.push({ task, attempt, number, message, reason: nameFailure(why), rank: why.rank });
      this.headlines.push(headline);
    }
    return headline;
  }

  /** It failed on what is no longer true, and will run again. */
  #takeBack(task: string): void {
    this.#count -= 1;
    const position = this.#failed.findIndex((failed) => failed.task === task);
    if (position < 0) return;
    this.#failed.splice(position, 1);
    this.headlines.splice(position, 1);
  }

  #skip(task: string, { root, message }: FailureCause): void {
    const known = this.#notRun.get(root);
    if (known !== undefined) known.others += 1;
    else if (this.#notRun.size < FAILURES_IN_FULL) this.#notRun.set(root, { task, others: 0, message });
  }
}

function inFull({ task, attempt, number, message, rank }: Failed, run: RunStart): TaskFailure {
  if (attempt === undefined) return { task, attempt: number, message, stderrTail: [], sandbox: null, command: null };
  const files = new AttemptFiles(run.storage, run.id, attempt);
  return {
    task,
    attempt: number,
    message,
    ...(rank === undefined ? {} : { rank }),
    stderrTail: files.tail("stderr", STDERR_LINES, rank),
    sandbox: files.sandbox,
    command: files.repeatCommand,
  };
}
