import { ended, finished, lifeOf, ready, started, step, submitted } from "@wf/run/testing";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_COLOURS } from "../format/colour.ts";
import { textWidth } from "../format/text-width.ts";
import { type LiveState, liveFrame } from "./live-frame.ts";
import { RunProgress } from "./run-progress.ts";

function stateOf(progress: RunProgress, changes: Partial<LiveState> = {}): LiveState {
  return {
    title: "lung-seg-3-k2f9  lung-seg on local",
    progress,
    cpus: 8,
    timeLeft: undefined,
    queue: undefined,
    keys: "running",
    failures: [],
    startedAt: 0,
    now: 100,
    ...changes,
  };
}

function manyStages(count: number): RunProgress {
  const progress = new RunProgress();
  const stages = Array.from({ length: count }, (_, i) => ({ stage: `stage-${i}`, count: 4 }));
  progress.begin({ id: "r", workflow: "r", site: "local", storage: "/none", cpus: 8, stages });
  stages.slice(0, count / 2).forEach(({ stage }) => {
    for (let i = 0; i < 4; i++) for (const fact of lifeOf(step(stage, i), 1)) progress.apply(fact);
  });
  for (let i = 0; i < 3; i++) {
    const task = step(`stage-${Math.floor(count / 2)}`, i);
    for (const fact of [ready(task), ...submitted(task), started(task, 90 - i)]) progress.apply(fact);
  }
  return progress;
}

describe("live frame", () => {
  it("shows stages, what runs, and how far it is", () => {
    const progress = new RunProgress();
    const stages = [
      { stage: "split", count: 1 },
      { stage: "work", count: null },
      { stage: "evaluate", count: 1 },
    ];
    progress.begin({ id: "r", workflow: "r", site: "local", storage: "/none", cpus: 8, stages });
    for (const fact of lifeOf(step("split"), 1, { wallSeconds: 1.5 })) progress.apply(fact);
    progress.apply(ended(step("work", 0), { state: "cached" }));
    const slow = step("work", 1);
    for (const fact of [ready(slow), ...submitted(slow), started(slow, 30), ready(step("work", 2))])
      progress.apply(fact);
    const frame = liveFrame(
      stateOf(progress, { timeLeft: { seconds: 130, isLowerBound: true } }),
      { columns: 79, rows: 24 },
      NO_COLOURS,
    );
    expect(frame).toEqual(
      [
        "lung-seg-3-k2f9  lung-seg on local  1m 40s",
        "✓ split     ━━━━━━━━━━━━━━━━━━━━━━━━━  1/1  1.50s",
        "▸ work      ━━━━━━━━━╍╍╍╍╍╍╍╍········  1/3+  1 running, 1 cached, 1 waiting",
        "  evaluate  ·························  0/1",
        "",
        "  work.1  1m 10s",
        "",
        "40%  2 of 5+ tasks  1 of 8 cpus  at least 2m 10s left",
        "Ctrl-C: let running tasks finish and stop. Twice: cancel them now",
      ].map((line) => line.replace("  1/1", "   1/1").replace("  0/1", "   0/1")),
    );
  });

  it("never takes more rows or columns than there are", () => {
    const size = fc.record({ columns: fc.integer({ min: 20, max: 200 }), rows: fc.integer({ min: 5, max: 60 }) });
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 50 }), fc.boolean(), (given, count, hasFailures) => {
        const failures = hasFailures ? ["✗ stage-1.0 failed: exit code 1 (attempt 2 of 2)"] : [];
        const frame = liveFrame(stateOf(manyStages(count), { failures }), given, NO_COLOURS);
        expect(frame.length).toBeLessThanOrEqual(given.rows);
        for (const line of frame) expect(textWidth(line)).toBeLessThanOrEqual(given.columns);
      }),
      cases(60),
    );
  });

  it("keeps what runs in sight when there are more stages than rows", () => {
    const frame = liveFrame(stateOf(manyStages(40)), { columns: 80, rows: 12 }, NO_COLOURS);
    expect(frame.some((line) => line.includes("stage-20") && line.includes("3 running"))).toBe(true);
    expect(frame.find((line) => line.includes("more stages"))).toBe("  … 34 more stages: 20 complete, 14 to come");
  });

  it("shows what has run longest first, and how much more runs", () => {
    const progress = new RunProgress();
    for (let i = 0; i < 30; i++) progress.apply(started(step("work", i), 50 + ((i * 7) % 30)));
    const frame = liveFrame(stateOf(progress), { columns: 80, rows: 40 }, NO_COLOURS);
    const running = frame.filter((line) => line.startsWith("  work.") || line.includes("more"));
    expect(running[0]).toBe("  work.0   50s");
    expect(running.at(-1)).toBe("  … and 23 more");
  });

  it("says what another Ctrl-C would do", () => {
    const progress = new RunProgress();
    progress.apply(started(step("work", 0), 1));
    const lastLine = (keys: "drain" | "cancel") =>
      liveFrame(stateOf(progress, { keys }), { columns: 80, rows: 24 }, NO_COLOURS).at(-1);
    expect(lastLine("drain")).toBe("stopping: waits for 1 running task. Ctrl-C again: cancel them now");
    expect(lastLine("cancel")).toBe("cancelling 1 running task");
  });

  it("marks stages with failures", () => {
    const progress = new RunProgress();
    progress.begin({
      id: "r",
      workflow: "r",
      site: "local",
      storage: "/x",
      cpus: 1,
      stages: [{ stage: "a", count: 2 }],
    });
    progress.apply(finished(step("a", 0), { failure: { class: "exit", message: "no", exitCode: 1 } }));
    progress.apply(ended(step("a", 0), { state: "failed" }));
    const frame = liveFrame(stateOf(progress), { columns: 80, rows: 24 }, NO_COLOURS);
    expect(frame[1]).toMatch(/^✗ a .* 1\/2 {2}1 failed/);
  });
});
