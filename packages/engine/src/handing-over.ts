import { attemptName, type JobKind, jobName } from "@wf/protocol";
import type { AdoptedAttempts } from "./adopted-attempts.ts";
import type { AttemptOf, JobToSubmit } from "./effects.ts";
import type { Fact } from "./fact.ts";
import type { LiveTask } from "./live-task.ts";
import type { OpenJobs } from "./open-jobs.ts";
import { isResumable } from "./slices.ts";
import { type TaskState, transition } from "./task-life.ts";

/** Gives jobs and attempts their names as they are handed over, and tells of them. */
export class HandingOver {
  readonly #adopted: AdoptedAttempts;
  readonly #tell: (fact: Fact) => void;

  constructor(adopted: AdoptedAttempts, tell: (fact: Fact) => void) {
    this.#adopted = adopted;
    this.#tell = tell;
  }

  /** One job of these tasks, which is open from now on. */
  job(kind: JobKind, tasks: readonly LiveTask[], open: OpenJobs): JobToSubmit {
    const [first] = tasks as [LiveTask];
    const job = jobName(kind, attemptName(first.instance.name, this.#nextNumber(first)));
    const names = tasks.map((task) => task.instance.name);
    this.#tell({ type: "job.submitted", job, tasks: names, resources: first.stage.resources });
    return { job, tasks: tasks.map((task) => this.#submit(task, job, open)) };
  }

  #nextNumber(task: LiveTask): number {
    const again = this.#adopted.of(task.instance.name);
    return again ? again.number : (task.state as { attempts: number }).attempts + 1;
  }

  #submit(task: LiveTask, job: string, open: OpenJobs): AttemptOf {
    const { instance, stage, progress } = task;
    const number = this.#nextNumber(task);
    const isAgain = this.#adopted.of(instance.name) !== undefined;
    this.#adopted.take(instance.name);
    const attempt = attemptName(instance.name, number);
    task.attempt = attempt;
    task.state = transition(task.state, { type: "submit" }, task.policy);
    if (isAgain)
      task.state = { ...(task.state as { failures: object }), name: "submitted", attempts: number } as TaskState;
    else {
      const slice = isResumable(instance.node) ? { slice: progress.slice } : {};
      this.#tell({ type: "attempt.submitted", task: instance.name, attempt, job, number, ...slice });
    }
    open.join(job, attempt);
    task.isAdopted = false;
    task.isInherited = false;
    return { task: instance, stage, attempt, checkpoint: progress.checkpoint };
  }
}
