import type { Json, Value } from "@wf/protocol";
import { ended, lifeOf, part, readyWith, StoreFixture, step } from "@wf/run/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { compare } from "./compare.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

const data: Value = { kind: "file", hash: "d".repeat(64), size: 10, name: "data.csv" };

interface Wanted {
  readonly workflow?: string;
  readonly params?: Record<string, Json>;
  readonly dice?: number;
  readonly lr?: number;
  readonly seconds?: number;
}

function train({ workflow = "lung", params = {}, dice = 0.9, lr = 0.1, seconds = 2 }: Wanted = {}): string {
  const run = fixture.begin({ workflow, stages: ["split", "train"], params: { seed: 4, ...params }, inputs: { data } });
  fixture.note(run, [
    readyWith(step("split"), [part("command", ["split"])]),
    ended(step("split"), { state: "cached", cachedFrom: { run: "lung-0-zzzz", task: "split" } }),
    readyWith(step("train"), [part("command", ["train"]), part("param lr", lr)]),
    ...lifeOf(step("train"), 100, { run, wallSeconds: seconds, metrics: [{ dice, loss: 1 - dice }] }).slice(1),
  ]);
  fixture.end(run, "succeeded", {}, { dice });
  return run;
}

async function linesOf(runs: readonly string[], options = {}, columns = 80): Promise<string[]> {
  const screen = new CapturedScreen(columns);
  await compare(runs, { ...fixture.options, ...options }, screen);
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(columns);
  return screen.lines;
}

describe("compare", () => {
  it("puts two runs side by side, marks what differs and says by how much", async () => {
    const [a, b] = [
      train({ params: { epochs: 8 } }),
      train({ params: { epochs: 16 }, dice: 0.945, lr: 0.2, seconds: 4 }),
    ];
    const lines = await linesOf([a, b]);
    expect(lines[0]).toBe("lung  2 runs");
    const plain = lines.map((line) => line.replace(/ +/g, " "));
    expect(plain).toContain(` ${a} ${b} change`);
    expect(plain).toContain("≠ epochs 8 16 +100 %");
    expect(plain).toContain(" the same: seed=4");
    expect(plain).toContain(" the same: data=dddddddddddd");
    expect(plain).toContain("≠ dice 0.9 0.945 +5.00 %");
    expect(plain).toContain(" CPU time 1.50s 1.50s");
    expect(plain).toContain(" tasks cached 1 1");
    expect(plain.some((line) => line.includes("tasks failed"))).toBe(false);
    expect(plain).toContain(`tasks of ${b}, by their keys, against ${a}`);
    expect(plain).toContain(" train 1 param `lr`: 0.1 -> 0.2");
    expect(plain).toContain(" the same: split");
    expect(lines.at(-1)).toBe(`  next  wf why ${b} train`);
  });

  it("compares the metrics of a stage, of many tasks by their spread", async () => {
    const runs = [0.1, 0.2].map((first) => {
      const run = fixture.begin({ workflow: "lung", stages: ["train"] });
      for (const i of [0, 1, 2]) {
        const attempt = `train.${i}@1`;
        fixture.note(run, lifeOf(step("train", i), 1, { run, attempt, metrics: [{ step: i, dice: first + i / 10 }] }));
      }
      return run;
    });
    const plain = (await linesOf(runs, { stage: "train" })).map((line) => line.replace(/ +/g, " "));
    expect(plain).toContain("metrics of train");
    expect(plain).toContain(" tasks 3 3");
    expect(plain).toContain("≠ dice mean 0.2 0.3 +50 %");
    expect(plain).toContain("≠ dice lowest 0.1 0.2 +100 %");
    await expect(linesOf(runs, { stage: "tarin" })).rejects.toMatchObject({
      code: "WF_TASK_NOT_FOUND",
      hint: "their stages are: train",
    });
  });

  it("says when workflows differ, and what only one of them has", async () => {
    const lines = await linesOf([
      train({ params: { epochs: 8 } }),
      train({ workflow: "galaxy", params: { filters: [8, 16] } }),
    ]);
    expect(lines[0]).toBe("lung, galaxy  2 runs");
    expect(lines[1]).toContain("different workflows");
    const plain = lines.map((line) => line.replace(/ +/g, " "));
    expect(plain).toContain("≠ workflow lung galaxy");
    expect(plain).toContain("≠ epochs 8 -");
    expect(plain).toContain("≠ filters - [8,16]");
  });

  it("goes on in blocks where more runs are named than fit, each with the first", async () => {
    const runs = Array.from({ length: 9 }, (_, i) => train({ dice: 0.9 + i / 100 }));
    const lines = await linesOf(runs);
    const heads = lines.filter((line) => /^ +1-[a-z0-9]{4} /.test(line));
    expect(heads.length).toBeGreaterThan(1);
    for (const run of runs) expect(heads.join(" ")).toContain(run.slice("lung-".length));
  });

  it("says so where there are no metrics", async () => {
    const runs = ["a", "a"].map((workflow) => {
      const run = fixture.begin({ workflow, stages: [] });
      fixture.end(run, "succeeded");
      return run;
    });
    expect((await linesOf(runs)).join("\n")).toContain("none  --stage NAME compares those of a stage");
  });

  it("prints JSON and CSV", async () => {
    const [a, b] = [train({ params: { on: ["x", "y"] } }), train({ dice: 0.5 })];
    const json = new CapturedScreen();
    await compare([a, b], { ...fixture.options, json: true }, json);
    expect(json.json).toMatchObject([
      {
        runs: [a, b],
        workflows: ["lung"],
        sections: expect.arrayContaining([
          { title: "metrics", rows: [{ name: "dice", values: [0.9, 0.5], differs: true, unit: "plain" }] },
        ]),
        tasks: [
          {
            run: b,
            stages: [
              { stage: "split", same: 1 },
              { stage: "train", same: 1, changes: [] },
            ],
          },
        ],
      },
    ]);
    const csv = new CapturedScreen();
    await compare([a, b], { ...fixture.options, format: "csv" }, csv);
    expect(csv.lines[0]).toBe(`section,name,${a},${b}`);
    expect(csv.lines).toContain('params,on,"[""x"",""y""]",');
    expect(csv.lines).toContain("metrics,dice,0.9,0.5");
  });

  it("wants two runs that are there", async () => {
    const run = train();
    await expect(linesOf([])).rejects.toMatchObject({ code: "WF_USAGE" });
    await expect(linesOf([run, "last"])).rejects.toMatchObject({
      code: "WF_USAGE",
      message: expect.stringContaining(run),
    });
    await expect(linesOf([run, "nobody"])).rejects.toMatchObject({ code: "WF_RUN_NOT_FOUND" });
  });
});
