import { lifeOf, ready, started, step, submitted } from "@wf/run/testing";
import { describe, expect, it } from "vitest";
import { EmulatedTerminal } from "../testing/emulated-terminal.ts";
import { LiveView } from "./live-view.ts";

const run = {
  id: "demo-1-abcd",
  workflow: "demo",
  site: "local",
  storage: "/none",
  cpus: 2,
  stages: [
    { stage: "split", count: 1 },
    { stage: "a-stage-with-a-rather-long-name", count: 30 },
  ],
};
const summary = { run: run.id, status: "succeeded", outputs: {}, metrics: {}, models: [], seconds: 12 } as const;

function runningTask(index: number) {
  const task = step("a-stage-with-a-rather-long-name", index);
  return [ready(task), ...submitted(task), started(task, Date.now() / 1000)];
}

describe("live view", () => {
  it("draws over itself, keeps notes above, and leaves the final state", async () => {
    const terminal = new EmulatedTerminal(100, 24);
    const view = new LiveView(terminal);
    view.note("reading 492 files");
    view.begin(run);
    for (const fact of lifeOf(step("split"), Date.now() / 1000)) view.fact(fact);
    view.fact({ type: "run.stopping", how: "drain", why: null });
    view.note("a second note");
    const during = await terminal.shown();
    expect(during.slice(0, 2)).toEqual(["reading 492 files", "a second note"]);
    expect(during.filter((line) => line.includes("split"))).toHaveLength(1);
    view.end(summary);
    const after = await terminal.shown();
    expect(after.slice(0, 2)).toEqual(["reading 492 files", "a second note"]);
    expect(after.filter((line) => line.includes("split"))).toHaveLength(1);
    expect(after.some((line) => line.includes("Ctrl-C"))).toBe(false);
    expect(after.at(-2)).toBe("✓ succeeded  demo-1-abcd  12.0s  1 task: 1 ran");
    expect(after.at(-1)).toBe("  next  wf show demo-1-abcd");
  });

  it("keeps a line about files that a task did not declare", async () => {
    const terminal = new EmulatedTerminal(130, 24);
    const view = new LiveView(terminal);
    view.begin(run);
    const undeclared = [{ path: "core", size: 5 }];
    for (const fact of lifeOf(step("split"), Date.now() / 1000, { undeclared })) view.fact(fact);
    view.end(summary);
    const shown = await terminal.shown();
    expect(
      shown.filter((line) => line.startsWith("split wrote 1 file that it does not declare: core (5 B)")),
    ).toHaveLength(1);
  });

  it.each([
    [50, 30],
    [30, 20],
    [140, 12],
    [80, 40],
  ])("leaves nothing behind when the terminal becomes %d x %d", async (columns, rows) => {
    const terminal = new EmulatedTerminal(110, 30);
    const view = new LiveView(terminal);
    view.begin(run);
    for (let i = 0; i < 6; i++) for (const fact of runningTask(i)) view.fact(fact);
    view.fact({ type: "run.stopping", how: "drain", why: null });
    await terminal.resize(columns, rows);
    const visible = await terminal.visible();
    expect(visible.filter((line) => line.startsWith("demo-1-abcd"))).toHaveLength(1);
    expect(visible.filter((line) => line.includes("stopping"))).toHaveLength(1);
    view.end(summary);
  });

  it("draws on a clock, however many facts there are", async () => {
    const terminal = new EmulatedTerminal(100, 24);
    const view = new LiveView(terminal);
    view.begin(run);
    const before = terminal.writes;
    for (let i = 0; i < 5000; i++) for (const fact of lifeOf(step("big", i), 1)) view.fact(fact);
    expect(terminal.writes).toBe(before);
    view.end(summary);
    expect((await terminal.shown()).find((line) => line.includes("big"))).toContain("5,000/5,000");
  });
});
