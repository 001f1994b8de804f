import { FailureClass } from "@wf/protocol";
import { AttemptFiles } from "@wf/run";
import type { Store, TaskSummary } from "@wf/store";
import { describeFailure, type FailureFacts, nameFailure } from "../view/describe-failure.ts";
import {
  FAILURES_IN_FULL,
  type FailureReport,
  type NotRun,
  STDERR_LINES,
  type TaskFailure,
} from "../view/failure-report.ts";

/** What went wrong in a run, from the store and from what failed attempts left on the site's storage. */
export function storedFailures(store: Store, run: string): FailureReport {
  const { tasks, total } = store.tasks(run, { states: ["failed"], limit: FAILURES_IN_FULL });
  return {
    run,
    failed: total,
    failures: tasks.map((task) => storedFailure(store, run, task)),
    notRun: notRunBecauseOf(store, run),
  };
}

export function storedFailure(
  store: Store,
  run: string,
  { task, cause }: Pick<TaskSummary, "task" | "cause">,
): TaskFailure {
  const last = store.attempts(run, task).at(-1);
  const why = whyFailed(store, run, { task, cause });
  if (last === undefined) {
    return { task, attempt: 1, message: describeFailure(why), stderrTail: [], sandbox: null, command: null };
  }
  const files = new AttemptFiles(store.folder, run, last.attempt);
  return {
    task,
    attempt: last.number,
    message: describeFailure(why),
    ...(why.rank === undefined ? {} : { rank: why.rank }),
    stderrTail: files.tail("stderr", STDERR_LINES, why.rank),
    sandbox: files.sandbox,
    command: files.repeatCommand,
  };
}

function whyFailed(store: Store, run: string, { task, cause }: Pick<TaskSummary, "task" | "cause">): FailureFacts {
  const last = store.attempts(run, task).at(-1);
  const known = FailureClass.safeParse(last?.failure?.class);
  return {
    class: known.success ? known.data : undefined,
    message: last?.failure?.message ?? messageOf(cause),
    exitCode: last?.exitCode ?? null,
    rank: last === undefined ? undefined : store.ranks(run, last.attempt).find(({ isCause }) => isCause)?.rank,
  };
}

/** One entry for each of the first few failures that held anything up. */
function notRunBecauseOf(store: Store, run: string): NotRun[] {
  const byRoot = new Map<string, { readonly task: string; others: number; readonly message: string }>();
  for (const { task, cause } of store.tasks(run, { states: ["skipped"] }).tasks) {
    const root = rootOf(cause);
    const known = root === undefined ? undefined : byRoot.get(root);
    if (known !== undefined) known.others += 1;
    else if (root !== undefined && byRoot.size < FAILURES_IN_FULL) {
      byRoot.set(root, { task, others: 0, message: messageOf(cause) });
    }
  }
  return [...byRoot].map(([root, { task, others, message }]) => {
    const why = whyFailed(store, run, { task: root, cause: { message } });
    return { task, others, root, reason: nameFailure(why) };
  });
}

function rootOf(cause: TaskSummary["cause"]): string | undefined {
  const root = memberOf(cause, "root");
  return typeof root === "string" ? root : undefined;
}

/** `check failed: exit code 3`, for a task that another one kept from running. */
export function whyNotRun(store: Store, run: string, { cause }: Pick<TaskSummary, "cause">): string {
  const root = rootOf(cause);
  if (root === undefined) return messageOf(cause);
  return `${root} failed: ${describeFailure(whyFailed(store, run, { task: root, cause }))}`;
}

function messageOf(cause: TaskSummary["cause"]): string {
  const message = memberOf(cause, "message");
  return typeof message === "string" ? message : "unknown";
}

function memberOf(json: TaskSummary["cause"], name: string): unknown {
  return json !== null && typeof json === "object" && !Array.isArray(json)
    ? (json as Record<string, unknown>)[name]
    : undefined;
}
