/** What a task says of itself, through the real program: numbers, pictures, a summary, and lines that make no sense. */
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { endOf, finishOf, makeProject, type Outcome, type Project } from "./wf-project.ts";

const FLOW = `
import { file, task, workflow, z } from "wf";

const train = task({
  name: "train",
  outputs: { model: file("txt") },
  params: z.object({ rate: z.number(), last: z.string().default("0.5") }),
  metrics: ["loss"],
  code: { script: "./train.sh" },
  command: ({ code, outputs, params }) => ["sh", code.script, outputs.model, params.rate, params.last],
});
const score = task({
  name: "score",
  inputs: { model: file("txt") },
  metrics: ["dice"],
  command: ({ inputs }) => ["sh", "-c", 'echo scoring; echo "wf-metrics {\\\\"dice\\\\": 0.$(cat "$1")}"', "sh", inputs.model],
});

export default workflow({
  name: "flow",
  params: z.object({ rate: z.number().default(1), last: z.string().optional() }),
  build: ({ params }) => {
    const { model, metrics } = train({}, params);
    return { model, loss: metrics.loss, dice: score({ model }).metrics.dice };
  },
});
`;
const TRAIN = `
printf '{"step": 1, "loss": 8, "val_dice": 0.1}\\n{"step": 2, "loss": 4, "val_dice": 0.7}\\n' >> "$WF_METRICS"
printf 'a picture' > first.png
printf '{"image": "prediction", "path": "first.png", "step": 2}\\n' >> "$WF_METRICS"
echo 'epoch 3'
printf '{"step": 3, "loss": %s, "val_dice": 0.6}\\n' "$3" >> "$WF_METRICS"
printf '{"summary": {"classes": ["lung"], "best": {"step": 2}}}\\n' >> "$WF_METRICS"
printf 'oops\\n{"image": "lost", "path": "lost.png"}\\n{"score": NaN}\\n' >> "$WF_METRICS"
echo "wf-metrics nothing"
printf '%s' "$2" > "$1"
`;
const APPLY = `
import { task, workflow, z } from "wf";
const shout = task({ name: "shout", command: () => ["echo", "hey"] });
export default workflow({ name: "other", params: z.object({ voices: z.number().default(2) }), build: () => { shout({}); return {}; } });
`;

let project: Project;
let first: Outcome;
beforeAll(async () => {
  project = makeProject({ "flow.ts": FLOW, "train.sh": TRAIN, "other.ts": APPLY });
  first = await project.wf(["run", "flow.ts", "--json"]);
});

const shown = async (...args: string[]) => (await project.wf([...args, "--json"])).events[0] as Record<string, unknown>;

describe("a task that reports", () => {
  it("succeeds whatever it says, and its metrics flow on", () => {
    expect(finishOf(first), first.stderr).toMatchObject({
      status: "succeeded",
      metrics: { loss: 0.5, dice: 0.1 },
    });
  });

  it("has numbers by step, pictures, a summary and warnings in its record and in the store", async () => {
    const task = await shown("show", "last", "train");
    expect(task).toMatchObject({
      metrics: { loss: 0.5, val_dice: 0.6, score: "NaN" },
      series: expect.arrayContaining([
        {
          name: "val_dice",
          first: 0.1,
          last: 0.6,
          best: { step: 2, value: 0.7, end: "highest" },
          points: [
            { step: 1, value: 0.1 },
            { step: 2, value: 0.7 },
            { step: 3, value: 0.6 },
          ],
        },
      ]),
      summary: { classes: ["lung"], best: { step: 2 } },
      warnings: [
        "stdout line 2: no JSON: nothing",
        "metrics line 6: no JSON: oops",
        "metrics line 8: score is NaN",
        "metrics line 7: picture lost (lost.png): No such file or directory",
      ],
    });
    const [picture] = task.pictures as { path: string; name: string; step: number }[];
    expect(picture).toMatchObject({ name: "prediction", step: 2 });
    expect(readFileSync(picture?.path as string, "utf8")).toBe("a picture");
    expect(readlinkSync(picture?.path as string)).toMatch(/^\.\.\/.*\/objects\//);
    const [attempt] = task.attempts as { undeclared: unknown[] }[];
    expect(attempt?.undeclared).toEqual([]);
    expect(project.ask("SELECT last FROM metric_series WHERE task = 'train' AND name = 'loss'")).toBe(0.5);
  });

  it("is shown with curves at 80 columns", async () => {
    const { stdout } = await project.wf(["show", "last", "train"]);
    expect(stdout).toContain("  metric    first  last   best  at\n");
    expect(stdout).toContain("  val_dice    0.1   0.6  ↑ 0.7   2  ▁█▇\n");
    expect(stdout).toMatch(/pictures\n {2}\.wf\/runs\/flow-1-\w+\/attempts\/train@1\/pictures\n {2}prediction-2\.png /);
    expect((await project.wf(["logs", "last", "score"])).stdout).toContain('wf-metrics {"dice": 0.1}');
  });

  it("tells of what made no sense while it runs", async () => {
    const { stdout } = await project.wf(["run", "flow.ts", "--plain", "--no-cache"]);
    expect(stdout).toContain("train: stdout line 2: no JSON: nothing, and 3 more warnings: wf show train");
  });

  it("shows of a cached task what it said when it ran", async () => {
    await project.wf(["run", "flow.ts"]);
    const task = await shown("show", "last", "train");
    expect(task).toMatchObject({ state: "cached", summary: { classes: ["lung"] }, pictures: [{ name: "prediction" }] });
  });

  it("fails if a declared metric ends as NaN, and keeps what it reported", async () => {
    const outcome = await project.wf(["run", "flow.ts", "--json", "-p", "last=NaN"]);
    expect(endOf(outcome, "train")).toMatchObject({
      state: "failed",
      cause: { class: "output-invalid", message: expect.stringContaining('"loss" ended as NaN') },
    });
    const task = await shown("show", "last", "train");
    expect(task).toMatchObject({ pictures: [{ name: "prediction" }], warnings: expect.arrayContaining([]) });
  });
});

describe("wf compare", () => {
  it("puts runs side by side, and says which tasks are not the same", async () => {
    const [one] = project.runs();
    const other = finishOf(await project.wf(["run", "flow.ts", "--json", "-p", "rate=7"]))?.run as string;
    const { stdout, exitCode } = await project.wf(["compare", one as string, other]);
    expect(exitCode).toBe(0);
    const lines = stdout.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(lines).toContain("≠ rate 1 7 +600 %");
    expect(lines).toContain("≠ dice 0.1 0.7 +600 %");
    expect(lines).toContain(" loss 0.5 0.5");
    expect(lines).toContain(" train 1 param `rate`: 1 -> 7");
    expect(lines).toContain(" score 1 input `model`: changed (model.txt)");
    const json = await shown("compare", one as string, other, "--stage", "score");
    expect(json).toMatchObject({
      stage: "score",
      sections: expect.arrayContaining([expect.objectContaining({ title: "costs" })]),
    });
    const csv = (await project.wf(["compare", one as string, other, "--format", "csv"])).stdout.split("\n");
    expect(csv[0]).toBe(`section,name,${one},${other}`);
    expect(csv).toContain("metrics,dice,0.1,0.7");
  });

  it("compares runs of different workflows, and says so", async () => {
    const [one] = project.runs();
    const other = finishOf(await project.wf(["run", "other.ts", "--json"]))?.run as string;
    const { stdout } = await project.wf(["compare", one as string, other]);
    expect(stdout).toContain("different workflows");
  });

  it("refuses less than two", async () => {
    const outcome = await project.wf(["compare", "last"]);
    expect([outcome.exitCode, outcome.stderr]).toEqual([2, expect.stringContaining("error[WF_USAGE]")]);
  });
});

it("removes pictures with their run", async () => {
  const [one] = project.runs();
  const folder = project.path(".wf", "runs", one as string, "attempts", "train@1", "pictures");
  expect(existsSync(folder)).toBe(true);
  await project.wf(["gc", "--keep", "0"]);
  expect(existsSync(folder)).toBe(false);
  expect(project.ask("SELECT count(*) FROM pictures")).toBe(0);
});
