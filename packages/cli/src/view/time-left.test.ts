import type { StageStart } from "@wf/run";
import { ended, finished, ready, started, step } from "@wf/run/testing";
import { describe, expect, it } from "vitest";
import { RunProgress } from "./run-progress.ts";
import { TimeLeftEstimate } from "./time-left.ts";

function begun(stages: readonly StageStart[]): RunProgress {
  const progress = new RunProgress();
  progress.begin({ id: "r", workflow: "r", site: "local", storage: "/none", cpus: 4, stages });
  return progress;
}

/** Runs `count` tasks of 10 seconds, `width` at a time, from time 0 on, and samples every second. */
function runFanOut(progress: RunProgress, estimate: TimeLeftEstimate, count: number, width: number): number {
  let now = 0;
  for (let first = 0; first < count; first += width) {
    const tasks = Array.from({ length: width }, (_, i) => step("work", first + i));
    for (const task of tasks) progress.apply(ready(task));
    for (const task of tasks) progress.apply(started(task, now));
    for (let second = 0; second < 10; second++) estimate.sample(progress, ++now);
    for (const task of tasks) progress.apply(finished(task, { wallSeconds: 10 }));
    for (const task of tasks) progress.apply(ended(task, { state: "done" }));
  }
  return now;
}

describe("time left", () => {
  it("is what is left at the mean duration and the parallelism seen", () => {
    const progress = begun([{ stage: "work", count: 40 }]);
    const estimate = new TimeLeftEstimate();
    const now = runFanOut(progress, estimate, 20, 4);
    const left = estimate.of(progress, now);
    expect(left?.isLowerBound).toBe(false);
    expect(left?.seconds).toBeCloseTo(50, 0);
  });

  it("does not think that a chain at the end runs in parallel", () => {
    const progress = begun([
      { stage: "work", count: 20 },
      { stage: "last", count: 2 },
    ]);
    const estimate = new TimeLeftEstimate();
    const now = runFanOut(progress, estimate, 20, 4);
    progress.apply(finished(step("last", 0), { wallSeconds: 30 }));
    progress.apply(ended(step("last", 0), { state: "done" }));
    expect(estimate.of(progress, now)?.seconds).toBeCloseTo(30, 0);
  });

  it("is a lower bound while a stage has not run or still grows", () => {
    const progress = begun([
      { stage: "work", count: 8 },
      { stage: "unknown", count: 1 },
    ]);
    const estimate = new TimeLeftEstimate();
    const now = runFanOut(progress, estimate, 4, 4);
    expect(estimate.of(progress, now)?.isLowerBound).toBe(true);
  });

  it("is unknown before anything has finished", () => {
    const progress = begun([{ stage: "work", count: 8 }]);
    const estimate = new TimeLeftEstimate();
    estimate.sample(progress, 0);
    progress.apply(ready(step("work", 0)));
    progress.apply(started(step("work", 0), 0));
    estimate.sample(progress, 5);
    expect(estimate.of(progress, 5)).toBeUndefined();
  });
});
