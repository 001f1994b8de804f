/** Law: a task whose job was ended from outside is never a success, whatever its exit status. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, hasLeft, jobOf, letGo, shellTask, waitFor } from "@wf/backend/contract";
import type { FailureClass, JobSpec, TaskSpec } from "@wf/protocol";
import { until } from "@wf/testing";
import { expect } from "vitest";
import type { Stage } from "./bad-day-stage.ts";

/** How many tasks each way to end a job is tried on, in waves of so many that run at once. */
const TASKS = Number(process.env.WF_TEST_TASKS ?? 8);
export const AT_ONCE = 8;

/**
 * The shell takes the signal without dying of it, its child dies, and the shell goes on and ends with 0: as a script does
 * whose own signal comes late, but every time. Whoever takes that for a success has a result that was cut off.
 */
const SHELL_THAT_GOES_ON = "trap : TERM; sleep 600; exit 0";

export interface WaysToEnd {
  /** Default: one task a job. */
  readonly tasksPerJob?: number;
  readonly task?: Partial<TaskSpec>;
  /** Of each task, by its place in the wave. Default: a shell that survives. */
  script?(harness: BackendHarness, position: number): string;
  readonly job?: Partial<JobSpec>;
  /**
   * Default: each job has one more task, which has just succeeded when the job is ended. Its record cannot know of that: only
   * who asks the scheduler does. False where a task has its job for itself, or where nobody ends the job.
   */
  readonly hasForerunners?: boolean;
  /** Ends the jobs of the wave, when all of its tasks run. */
  end(stage: Stage, attempts: readonly string[]): Promise<void> | void;
  /** What makes the place usable again for the next wave. */
  restore?(stage: Stage): Promise<void> | void;
}

/** The attempts of each wave. */
export function* waves(): Generator<readonly string[]> {
  for (let done = 0; done < TASKS; done += AT_ONCE)
    yield Array.from({ length: Math.min(AT_ONCE, TASKS - done) }, (_, i) => `t${done + i}@1`);
}

/** Ends jobs in this way, and looks at what becomes of their tasks. Returns the classes of their failures. */
export async function endEveryJob(stage: Stage, ways: WaysToEnd): Promise<ReadonlySet<FailureClass | undefined>> {
  const { session, harness } = stage;
  const classes = new Set<FailureClass | undefined>();
  for (const attempts of waves()) {
    const jobs = jobsOf(harness, attempts, ways);
    const all = jobs.flatMap(({ tasks }) => tasks.map(({ attempt }) => attempt));
    await session.submit(...jobs);
    await Promise.all(attempts.map((attempt) => session.started(attempt)));
    for (const forerunner of all.filter((attempt) => !attempts.includes(attempt)))
      expect(await session.finished(forerunner)).toMatchObject({ state: "succeeded" });
    try {
      await ways.end(stage, attempts);
      const records = await Promise.all(all.map((attempt) => session.settled(attempt)));
      const wrong = records.filter(({ state }) => state === "succeeded").map(({ attempt }) => attempt);
      expect(wrong, "killed, and recorded as done").toEqual([]);
      for (const { failure } of records) classes.add(failure?.class);
    } finally {
      await ways.restore?.(stage);
    }
  }
  return classes;
}

/** One of the tasks of a wave takes more memory than its job may have; the others go on, and end with 0. */
export const GREEDY_NEIGHBOUR: WaysToEnd = {
  hasForerunners: false,
  tasksPerJob: AT_ONCE / 2,
  job: { memoryBytes: 200 * 2 ** 20 },
  script: (harness, position) =>
    position % (AT_ONCE / 2) === 0
      ? `${waitFor(harness, "go")}; python3 -c 'x = b"x" * (600 << 20); import time; time.sleep(600)'; exit 0`
      : `trap : TERM; ${waitFor(harness, "ended")}; exit 0`,
  async end({ harness }, attempts) {
    letGo(harness, "go");
    const greedy = attempts.filter((_, position) => position % (AT_ONCE / 2) === 0);
    await until("records of those that took too much", () => greedy.every((attempt) => hasLeft(harness, attempt)));
    letGo(harness, "ended");
  },
  restore({ harness }) {
    for (const name of ["go", "ended"]) rmSync(join(harness.scratch, name), { force: true });
  },
};

function jobsOf(harness: BackendHarness, attempts: readonly string[], ways: WaysToEnd): readonly JobSpec[] {
  const { tasksPerJob = 1, script = () => SHELL_THAT_GOES_ON, task = {}, job = {}, hasForerunners = true } = ways;
  const tasks = attempts.map((attempt, position) =>
    shellTask(attempt, script(harness, position), { graceSeconds: 2, ...task }),
  );
  return Array.from({ length: Math.ceil(tasks.length / tasksPerJob) }, (_, i) => {
    const some = tasks.slice(i * tasksPerJob, (i + 1) * tasksPerJob);
    const forerunners = hasForerunners ? [shellTask(`before-${attempts[i * tasksPerJob]}`, "true")] : [];
    return { ...jobOf(harness, [...forerunners, ...some], some.length), ...job };
  });
}
