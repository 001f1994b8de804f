import type { Fact } from "@wf/engine";
import { describe, expect, it } from "vitest";
import { NO_COLOURS } from "../format/colour.ts";
import { textWidth } from "../format/text-width.ts";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { liveFrame } from "./live-frame.ts";
import { PlainLines } from "./plain-lines.ts";
import { RunProgress } from "./run-progress.ts";

const run = { id: "demo-1-abcd", workflow: "demo", site: "local", storage: "/none", cpus: 2 };
const stages = [{ stage: "train", count: 1 }];

function preparing(says: string, percent: number | null): Fact {
  return { type: "runtime.preparing", stage: "train", requirements: ["torch>=1.13"], says, percent };
}

const ready: Fact = {
  type: "runtime.ready",
  stage: "train",
  runtime: "k",
  how: "debian",
  interpreter: "/usr/bin/python3",
  python: "3.11.2",
  packages: { numpy: "1.24.2", odd: null },
  wasReady: false,
  seconds: 40,
};

describe("a runtime that is being prepared", () => {
  it("is one line of the live view, with how far it is, until it is ready", () => {
    const progress = new RunProgress();
    progress.begin({ ...run, stages });
    const frame = (columns: number, rows = 24) => {
      const state = {
        title: "demo",
        progress,
        cpus: 2,
        timeLeft: undefined,
        queue: undefined,
        failures: [],
        startedAt: 0,
        now: 1,
      };
      return liveFrame({ ...state, keys: "running" }, { columns, rows }, NO_COLOURS);
    };
    progress.apply(preparing("looks around", null));
    progress.apply(preparing("downloads Debian's packages (98.3 MB)", 45));
    expect(frame(79)).toContain("  python runtime: downloads Debian's packages (98.3 MB)  45%");
    expect(frame(79).filter((line) => line.includes("python runtime"))).toHaveLength(1);
    for (const columns of [20, 33, 60]) {
      expect(Math.max(...frame(columns).map(textWidth))).toBeLessThanOrEqual(columns);
      expect(frame(columns, 4).length).toBeLessThanOrEqual(4);
    }
    progress.apply(ready);
    expect(frame(79).join("\n")).not.toContain("python runtime");
  });

  it("is told in plain lines once for each thing that is done, not for each per cent", () => {
    const screen = new CapturedScreen();
    const view = new PlainLines(screen);
    view.begin({ ...run, stages });
    for (const percent of [0, 20, 80]) view.fact(preparing("installs", percent));
    view.fact(preparing("checks that it works", null));
    view.fact(ready);
    expect(screen.lines.slice(1).map((line) => line.replace(/^\S+ \S+ /, ""))).toEqual([
      "python runtime: installs",
      "python runtime: checks that it works",
      "python runtime: Python 3.11.2, numpy 1.24.2, odd (from Debian's packages: /usr/bin/python3)",
    ]);
    view.end({ run: run.id, status: "succeeded", outputs: {}, metrics: {}, models: [], seconds: 1 });
  });
});
