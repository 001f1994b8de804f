import { ended, finished, lifeOf, ready, step, submitted } from "@wf/run/testing";
import { describe, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { PlainLines } from "./plain-lines.ts";

const run = { id: "demo-1-abcd", workflow: "demo", site: "local", storage: "/none", cpus: 2 };
const summary = { run: run.id, status: "succeeded", outputs: {}, metrics: {}, models: [], seconds: 12 } as const;

function withoutTimes(screen: CapturedScreen): string[] {
  return screen.lines.map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, "@ "));
}

describe("plain lines", () => {
  it("tells a small run task by task", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({
      ...run,
      stages: [
        { stage: "split", count: 1 },
        { stage: "train", count: 1 },
      ],
    });
    for (const fact of lifeOf(step("split"), 1)) view.fact(fact);
    view.fact(ready(step("train")));
    view.fact(ended(step("train"), { state: "cached", cachedFrom: { run: "demo-0-aaaa", task: "train" } }));
    view.end(summary);
    expect(withoutTimes(screen)).toEqual([
      "@ run demo-1-abcd: demo on local, 2 stages",
      "@ split started",
      "@ split done in 2.00s",
      "@ train cached from demo-0-aaaa train",
      "",
      "✓ succeeded  demo-1-abcd  12.0s  2 tasks: 1 ran, 1 cached",
      "  next  wf show demo-1-abcd",
    ]);
  });

  it("shows a short value beside its file, and of a long one only the file", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages: [] });
    const long = Array.from({ length: 100 }, (_, i) => i);
    const outputs = {
      pi: { kind: "json", path: "/out/pi.json", value: Math.PI },
      all: { kind: "json", path: "/out/all.json", value: long },
    } as const;
    view.end({ ...summary, outputs });
    expect(screen.lines).toEqual(expect.arrayContaining(["  pi   3.14159  /out/pi.json", "  all  /out/all.json"]));
  });

  it("counts apart what had ended before the run was resumed", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages: [{ stage: "work", count: 3 }] });
    for (const i of [0, 1]) view.fact(ended(step("work", i), { state: "done", replayed: true }));
    for (const fact of lifeOf(step("work", 2), 1)) view.fact(fact);
    view.end(summary);
    expect(screen.text).toContain("3 tasks: 1 ran, 2 had ended before\n");
  });

  it("tells which task wrote files that it did not declare, and counts where many did", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages: [{ stage: "work", count: 100 }] });
    const undeclared = [{ path: "core", size: 5 }];
    for (let i = 0; i < 100; i++) for (const fact of lifeOf(step("work", i), 1, { undeclared })) view.fact(fact);
    view.end(summary);
    const told = withoutTimes(screen).filter((line) => line.includes("declare"));
    expect(told[0]).toMatch(/^@ work\.0 wrote 1 file that it does not declare: core \(5 B\)/);
    expect(told).toHaveLength(6);
    expect(told[5]).toMatch(/^@ 95 more tasks wrote files that they do not declare/);
  });

  it("tells 10,000 tasks in a handful of lines", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages: [{ stage: "work", count: 10_000 }] });
    for (let i = 0; i < 10_000; i++) for (const fact of lifeOf(step("work", i), 1)) view.fact(fact);
    view.end(summary);
    expect(screen.lines.length).toBeLessThan(10);
    expect(withoutTimes(screen)).toContain("@ work: 10,000 of 10,000 tasks ended, 2.00s each");
  });

  it("tells of tasks that were not reached, which count for no average", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages: [{ stage: "work", count: null }] });
    const task = step("work", 0);
    const failure = { class: "not-reached", message: "its job ended" } as const;
    for (const fact of [ready(task), ...submitted(task), finished(task, { failure, wallSeconds: 0 })]) view.fact(fact);
    view.fact({ type: "task.unreached", task: "work.0", attempt: "work.0@1", message: "its job ended" });
    for (const fact of [...submitted(task, 2), finished(task)]) view.fact(fact);
    view.fact(ended(task, { state: "done", outputs: {} }));
    view.end(summary);
    expect(withoutTimes(screen)).toContain("@ work.0 not reached: its job ended; it waits for another job");
    expect(withoutTimes(screen)).toContain("@ work.0 done in 2.00s");
  });

  it("tells the first failures and retries, not thousands", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages: [{ stage: "work", count: null }] });
    for (let i = 0; i < 1000; i++) {
      const task = step("work", i);
      const failure = { class: "exit", message: "exit status 1", exitCode: 1 } as const;
      for (const fact of [ready(task), ...submitted(task), finished(task, { failure })]) view.fact(fact);
      view.fact({
        type: "task.retry",
        task: task.task,
        attempt: "x",
        failure: "exit",
        message: "exit status 1",
        inSeconds: 4,
      });
      for (const fact of [...submitted(task, 2), finished(task, { failure })]) view.fact(fact);
      view.fact(ended(task, { state: "failed", cause: { root: task.task, class: "exit", message: "exit status 1" } }));
    }
    view.end({ ...summary, status: "failed" });
    expect(screen.lines.length).toBeLessThan(70);
    const lines = withoutTimes(screen);
    expect(lines[1]).toBe("@ work.0: exit status 1; tried again in 4s");
    expect(lines).toContain("@ ✗ work.0 failed: exit code 1 (attempt 2 of 2)");
    expect(lines).toContain(
      `997 more tasks failed: wf query "SELECT task FROM task WHERE run = 'demo-1-abcd' AND state = 'failed'"`,
    );
  });

  it("is quiet about everything but failures and the end", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen, { isQuiet: true });
    view.begin({ ...run, stages: [{ stage: "split", count: 1 }] });
    view.note("reading");
    for (const fact of lifeOf(step("split"), 1)) view.fact(fact);
    view.end(summary);
    expect(screen.lines).toEqual(["✓ succeeded  demo-1-abcd  12.0s  1 task: 1 ran", "  next  wf show demo-1-abcd"]);
  });
});
