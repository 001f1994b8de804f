import type { StageStart } from "@wf/run";
import { ended, finished, lifeOf, ready, started, step, submitted } from "@wf/run/testing";
import { describe, expect, it } from "vitest";
import { RunProgress } from "./run-progress.ts";

function progressOf(stages: readonly StageStart[]): RunProgress {
  const progress = new RunProgress();
  progress.begin({ id: "r-1-abcd", workflow: "r", site: "local", storage: "/none", cpus: 4, stages });
  return progress;
}

describe("run progress", () => {
  it("moves a task from waiting to running to its end", () => {
    const progress = progressOf([{ stage: "train", count: 2 }]);
    const task = step("train", 0);
    const train = progress.stage("train");
    progress.apply(ready(task));
    expect([train.waiting, train.running, train.ended]).toEqual([1, 0, 0]);
    for (const fact of submitted(task, 1, 3)) progress.apply(fact);
    progress.apply(started(task, 100));
    expect([train.waiting, train.running, progress.cpusInUse]).toEqual([0, 1, 3]);
    expect(progress.busySeconds(105)).toBe(5);
    progress.apply(finished(task, { wallSeconds: 6 }));
    progress.apply(ended(task, { state: "done" }));
    expect([train.waiting, train.running, train.ends.done, train.total]).toEqual([0, 0, 1, 2]);
    expect([progress.cpusInUse, progress.busySeconds(200), train.meanSeconds]).toEqual([0, 6, 6]);
  });

  it("keeps a job's cpus in use until its last task has finished", () => {
    const progress = progressOf([{ stage: "a", count: 2 }]);
    const [one, two] = [step("a", 0), step("a", 1)];
    for (const task of [one, two]) {
      progress.apply(ready(task));
      progress.apply({ type: "attempt.submitted", task: task.task, attempt: `${task.task}@1`, job: "j", number: 1 });
    }
    const resources = {
      nodes: 1,
      processes: 1,
      cpus: 2,
      memoryBytes: 0,
      gpus: 0,
      diskBytes: 0,
      timeLimitSeconds: null,
    };
    progress.apply({ type: "job.submitted", job: "j", tasks: [one.task, two.task], resources });
    progress.apply(started(one, 1));
    progress.apply(started(two, 1));
    expect(progress.cpusInUse).toBe(2);
    progress.apply(finished(one));
    expect(progress.cpusInUse).toBe(2);
    progress.apply(finished(two));
    expect(progress.cpusInUse).toBe(0);
  });

  it("counts a failed attempt that is tried again as waiting, once", () => {
    const progress = progressOf([{ stage: "a", count: 1 }]);
    const task = step("a");
    progress.apply(ready(task));
    progress.apply(started(task, 1));
    progress.apply(finished(task, { failure: { class: "exit", message: "no", exitCode: 1 } }));
    progress.apply({ type: "task.retry", task: "a", attempt: "a@1", failure: "exit", message: "no", inSeconds: 1 });
    const stage = progress.stage("a");
    expect([stage.waiting, stage.running, stage.retries, stage.total]).toEqual([1, 0, 1, 1]);
  });

  it("counts tasks that end without ever having been ready", () => {
    const progress = progressOf([{ stage: "a", count: 3 }]);
    progress.apply(ended(step("a", 0), { state: "skipped" }));
    progress.apply(ended(step("a", 1), { state: "cached" }));
    expect([progress.ended, progress.stage("a").notRun, progress.count("cached")]).toEqual([2, 1, 1]);
  });

  it("knows the total of a fan-out once it has expanded", () => {
    const progress = progressOf([{ stage: "a", count: null, grownBy: { node: "each", isOnce: true } }]);
    expect([progress.total, progress.isGrowing]).toEqual([0, true]);
    progress.apply({ type: "expanded", node: "each", index: [], count: 40, source: "x" });
    expect([progress.total, progress.isGrowing]).toEqual([40, false]);
  });

  it("grows with every expansion of a nested fan-out, until the end", () => {
    const progress = progressOf([{ stage: "a", count: null, grownBy: { node: "inner", isOnce: false } }]);
    for (const count of [3, 4]) progress.apply({ type: "expanded", node: "inner", index: [count], count, source: "x" });
    expect([progress.total, progress.isGrowing]).toEqual([7, true]);
    progress.settle("stopped");
    expect(progress.isGrowing).toBe(true);
    progress.settle("succeeded");
    expect(progress.isGrowing).toBe(false);
  });

  it("takes a fan-out of nothing as complete", () => {
    const progress = progressOf([{ stage: "a", count: null, grownBy: { node: "each", isOnce: true } }]);
    progress.apply({ type: "expanded", node: "each", index: [], count: 0, source: "x" });
    expect(progress.stage("a").isComplete).toBe(true);
  });

  it("shows stages that the plan did not name", () => {
    const progress = progressOf([]);
    for (const fact of lifeOf(step("late"), 1)) progress.apply(fact);
    expect(progress.stages.map(({ name, ended }) => [name, ended])).toEqual([["late", 1]]);
  });
});
