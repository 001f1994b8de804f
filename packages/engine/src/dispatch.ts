import type { PlannedStage } from "@wf/planner";
import { Backlog } from "./backlog.ts";
import type { AttemptOf, JobToSubmit } from "./effects.ts";
import type { HandingOver } from "./handing-over.ts";
import { HeldStages } from "./held-stages.ts";
import type { LiveTask } from "./live-task.ts";
import { OpenJobs } from "./open-jobs.ts";
import { ReadySet } from "./ready-set.ts";
import type { RunOptions } from "./run-options.ts";

/** How many tasks are looked at ahead of what can be handed over, so that the most urgent can be chosen. */
const LOOK_AHEAD = 4;
/** How many tasks are kept that wait for a runtime. They take no place from what can run, only memory. */
const MOST_HELD = 1000;

/** Which of the tasks that are ready go next, and which of them share a job. */
export class Dispatch {
  readonly #options: Pick<RunOptions, "plan" | "slots" | "mostInFlight">;
  readonly #handingOver: HandingOver;
  readonly #ready = new ReadySet<LiveTask>();
  readonly #held: HeldStages;
  readonly #jobs = new OpenJobs();
  /** Glue runs beside the engine and takes no place from jobs, nor they from it. */
  readonly #glue = new OpenJobs();
  readonly #backlog = new Backlog();
  /** Enough tasks to fill the largest job for every place and one more. */
  readonly #fullJobs: number;

  constructor(options: Pick<RunOptions, "plan" | "slots" | "mostInFlight">, handingOver: HandingOver) {
    const stages = [...options.plan.stages.values()];
    this.#options = options;
    this.#handingOver = handingOver;
    this.#held = new HeldStages(options.plan.stages);
    this.#fullJobs = (options.slots + 1) * Math.max(1, ...stages.map((stage) => stage.tasksPerJob));
  }

  /** Nothing waits for a place, and nothing that was handed over has not finished. */
  get isIdle(): boolean {
    return this.#jobs.size + this.#glue.size + this.#ready.size === 0;
  }

  /** Whether more tasks have to be known to choose from. */
  get wantsMore(): boolean {
    const held = this.#held.waiting(this.#ready);
    return held < MOST_HELD && this.#ready.size - held < Math.max(LOOK_AHEAD * this.#limit, this.#fullJobs);
  }

  add(task: LiveTask): void {
    this.#ready.add(task.instance.node.id, task.stage.rank, task);
  }

  /** An attempt that an earlier engine handed over takes a place of its own. */
  adopt(attempt: string): void {
    this.#jobs.join(`adopted-${attempt}`, attempt);
  }

  isInJob(attempt: string): boolean {
    return this.#jobs.has(attempt);
  }

  /** False when the attempt was in no job. */
  leave(attempt: string): boolean {
    this.#glue.leave(attempt);
    return this.#jobs.leave(attempt);
  }

  observe(seconds: number): void {
    this.#backlog.observe(seconds);
  }

  /** The runtime of a stage is ready. */
  release(stage: string): void {
    this.#held.release(stage);
  }

  /** Stages that have tasks to run and whose runtime must be made ready first. Each is named once. */
  stagesToPrepare(): PlannedStage[] {
    return this.#held.ask(this.#ready);
  }

  /** What waits for a place will not get one. */
  clear(): LiveTask[] {
    return this.#ready.clear();
  }

  /** Hands over what can go now. False when nothing could. */
  handOver(submit: JobToSubmit[], glue: AttemptOf[]): boolean {
    const before = this.#ready.size;
    for (const stage of this.#ready.stages()) {
      if (!this.#held.has(stage)) this.#handOverStage(stage, submit, glue);
    }
    return this.#ready.size < before;
  }

  #handOverStage(stage: string, submit: JobToSubmit[], glue: AttemptOf[]): void {
    const { plan, slots } = this.#options;
    const planned = plan.stages.get(stage) as PlannedStage;
    const isGlue = planned.node.declaration.runtime.kind === "fn";
    const open = isGlue ? this.#glue : this.#jobs;
    const limit = this.#limit;
    while (open.size < limit && this.#ready.count(stage) > 0) {
      if (isGlue) {
        glue.push(...this.#handingOver.job("fn", this.#ready.take(stage, 1), this.#glue).tasks);
        continue;
      }
      // A job that is not full goes only when a place would stay empty.
      if (this.#ready.count(stage) < planned.tasksPerJob && this.#jobs.size >= slots) return;
      submit.push(this.#handingOver.job("job", this.#ready.take(stage, planned.tasksPerJob), this.#jobs));
    }
  }

  get #limit(): number {
    return this.#backlog.limit(this.#options.slots, this.#options.mostInFlight);
  }
}
