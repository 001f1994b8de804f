import { ended, lifeOf, StoreFixture, step } from "@wf/run/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { trace } from "./trace.ts";

let fixture: StoreFixture;
let run: string;
beforeEach(() => {
  fixture = new StoreFixture();
  run = fixture.begin({ stages: ["split", "train", "never"] });
  fixture.note(run, [ended(step("split"), { state: "cached", cachedFrom: { run: "demo-0-aaaa", task: "split" } })]);
  const gpu = { gpuPercent: 80, peakGpuMemoryBytes: 11e9, peakMemoryBytes: 4.2e9, readBytes: 500e6, writtenBytes: 0 };
  const series = Array.from({ length: 20 }, (_, i) => [i, 10 * i, 1e6 * i, 1e6 * i * i, 0, null, null]);
  for (let i = 0; i < 2; i++) {
    const attempt = `train.${i}@1`;
    fixture.note(run, lifeOf(step("train", i), 1, { run, attempt, wallSeconds: 10 + i, usage: gpu, series }));
  }
  fixture.end(run, "succeeded");
});
afterEach(() => fixture.close());

it("prints a line a stage within 80 columns, unknown as -, and the totals", async () => {
  const screen = new CapturedScreen(80);
  await trace(undefined, fixture.options, screen);
  const [titles, split, train, never] = screen.lines.map((line) => line.trim().split(/ {2,}/));
  expect(titles).toEqual(["stage", "ran", "read MB", "written MB", "CPU %", "memory GB", "GPU %", "GPU GB", "time s"]);
  expect(split).toEqual(["split", "0", "-", "-", "-", "-", "-", "-", "-"]);
  expect(train).toEqual(["train", "2", "1000", "0.00", "75", "4.200", "80", "11.000", "10.500"]);
  expect(never?.[0]).toBe("never");
  for (const line of screen.lines.slice(0, 4)) expect(line.length).toBeLessThanOrEqual(80);
  expect(screen.text).toContain(`${run}  3 tasks: 2 ran, 1 cached\n`);
  expect(screen.text).toContain("  CPU time  3.00s\n");
  expect(screen.text).toContain("  I/O       1.00 GB read, 0 B written\n");
  expect(screen.text).toContain("  peak      4.20 GB memory, 11.0 GB GPU memory\n");
});

it("prints a line a rank below a stage that is distributed", async () => {
  const other = fixture.begin({ stages: ["train"] });
  fixture.note(other, lifeOf(step("train"), 1, { run: other, rankHosts: ["c1", "c2"] }));
  const screen = new CapturedScreen(80);
  await trace(other, fixture.options, screen);
  expect(screen.lines[1]).toMatch(/^train +1 /);
  expect(screen.lines[2]).toMatch(/^ {2}0 c1 +1 /);
  expect(screen.lines[3]).toMatch(/^ {2}1 c2 +1 /);
});

it("prints a series with sparklines, totals as rates, and the unknown as unknown", async () => {
  const screen = new CapturedScreen(100);
  await trace(run, { ...fixture.options, series: "train.1" }, screen);
  const rows = new Map(
    screen.lines.map((line) => [line.trim().split(/ {2,}/)[0], line.trim().split(/ {2,}/).slice(1)]),
  );
  expect(screen.lines[0]).toBe(`train.1  ${run}  attempt 1  20 samples over 19.0s`);
  expect(rows.get("CPU")).toEqual([expect.stringMatching(/^▁.*█$/), "0 %", "95 %", "190 %"]);
  expect(rows.get("read")).toEqual([expect.stringMatching(/^▁.*█$/), "1.00 MB/s", "19.0 MB/s", "37.0 MB/s"]);
  expect(rows.get("GPU memory")).toEqual(["unknown"]);
});

it("gives JSON for both", async () => {
  const screen = new CapturedScreen();
  await trace(run, { ...fixture.options, json: true }, screen);
  await trace(run, { ...fixture.options, json: true, series: "train.0" }, screen);
  expect(screen.json).toMatchObject([
    {
      run,
      stages: [{ stage: "split" }, { stage: "train", peakMemoryMb: 4200 }, { stage: "never" }],
      totals: { tasks: 3 },
    },
    { run, task: "train.0", attempt: "train.0@1", points: { length: 20 } },
  ]);
});
