/** A model from the run that trains it to the run that uses it, through the real program. */
import { readFileSync, rmSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { expectError, finishOf, makeProject, type Outcome, type Project } from "./wf-project.ts";

const TRAIN = `
import { asModel, file, secret, task, workflow, z } from "wf";

const data = file("csv");
const split = task({
  name: "split",
  inputs: { all: data },
  outputs: { train: data.as("train"), test: data.as("test") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'head -n 1 "$1" > "$2"; tail -n 1 "$1" > "$3"', "sh", inputs.all, outputs.train, outputs.test],
});
const fit = task({
  name: "fit",
  inputs: { train: data },
  outputs: { model: file("txt") },
  params: z.object({ size: z.number() }),
  fits: true,
  command: ({ inputs, outputs, params }) => ["sh", "-c", 'echo "$2 $(cat "$1")" > "$3"', "sh", inputs.train, params.size, outputs.model],
});
const score = task({
  name: "score",
  inputs: { model: file("txt"), test: data },
  metrics: ["dice", "loss"],
  env: { MOOD: secret("MOOD") },
  command: ({ inputs }) => ["sh", "-c", '[ "$MOOD" = good ] || exit 3; read n _ < "$1"; echo "wf-metrics {\\\\"dice\\\\": 0.$n, \\\\"loss\\\\": $n}"', "sh", inputs.model],
});

export default workflow({
  name: "train",
  inputs: { points: file("csv", { path: "points.csv" }) },
  params: z.object({ size: z.number().default(5) }),
  build({ inputs, params }) {
    const { train, test } = split({ all: inputs.points });
    const { model } = fit({ train }, params);
    const { dice, loss } = score({ model, test }).metrics;
    return { model: asModel("lines", model, { dice, loss }), dice };
  },
});
`;
const apply = (name: string, place: string) => `
import { file, task, workflow } from "wf";
const use = task({
  name: "use",
  inputs: { model: file("txt") },
  outputs: { copy: file("txt") },
  command: ({ inputs, outputs }) => ["cp", inputs.model, outputs.copy],
});
export default workflow({
  name: "${name}",
  inputs: { model: file("txt", ${place}) },
  build: ({ inputs }) => ({ copy: use({ model: inputs.model }).copy }),
});
`;

let project: Project;
beforeEach(() => {
  project = makeProject({
    "train.ts": TRAIN,
    "points.csv": "1,2\n3,4\n",
    "apply.ts": apply("apply", '{ model: "lines", best: "dice" }'),
    "newest.ts": apply("newest", '{ model: "lines" }'),
  });
});

const GOOD = { env: { MOOD: "good" } };
const train = (size: number) => project.wf(["run", "train.ts", "--json", "-p", `size=${size}`], GOOD);
/** The first word of what a workflow got as its model. */
async function used(file: string, ...more: string[]): Promise<string> {
  const outcome = await project.wf(["run", file, "--json", "--outputs", "results", ...more]);
  expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
  return project.read("results", "copy.txt").split(" ")[0] as string;
}
const registered = (outcome: Outcome) => finishOf(outcome)?.models;

it("grows by a version a content, and the best, the newest or a named one goes on", async () => {
  const missing = await project.wf(["run", "apply.ts", "--json"]);
  expectError(missing, "WF_MODEL_NOT_FOUND", {
    says: /no run has registered the model "lines" yet/,
    next: /wf run train\.ts/,
  });

  expect(registered(await train(5))).toMatchObject([
    { name: "lines", version: 1, isNew: true, metrics: { dice: { value: 0.5 } } },
  ]);
  expect(registered(await train(9))).toMatchObject([{ version: 2, isNew: true }]);
  expect(registered(await train(3))).toMatchObject([{ version: 3, isNew: true }]);
  expect(registered(await train(5))).toMatchObject([{ version: 1, isNew: false }]);

  expect(await used("apply.ts")).toBe("9");
  expect(await used("apply.ts", "-i", "model=model:lines@1")).toBe("5");
  expect(await used("apply.ts", "-i", "model=model:lines@lowest:loss")).toBe("3");
  const unknown = await project.wf(["run", "apply.ts", "--json", "-i", "model=model:lines@7"]);
  expectError(unknown, "WF_MODEL_NOT_FOUND", { says: /lines@7/, next: /versions are: 3, 2, 1/ });
});

it("is listed with its metrics, and shown with data, splits, parameters and users", async () => {
  await train(5);
  const run = finishOf(await train(9))?.run as string;
  await used("apply.ts");
  const [listed] = (await project.wf(["models", "--json"])).events;
  expect(listed).toMatchObject({ model: "lines", versions: 2, newest: { version: 2, run } });
  const [version] = (await project.wf(["models", "lines@2", "--json"])).events;
  expect(version).toMatchObject({
    run,
    metrics: { dice: { value: 0.9, splits: ["train", "test"] } },
    lineage: {
      workflow: "train",
      params: { size: 9 },
      taskParams: { size: 9 },
      task: "fit",
      splits: ["train"],
      inputs: [{ name: "points" }],
      data: [{ stage: "fit", input: "train", splits: ["train"], carried: false }],
    },
  });
  const { stdout } = await project.wf(["models", "lines"]);
  expect(stdout).toMatch(/^lines {2}2 versions$/m);
  expect(stdout).toMatch(/^ {7}@2 {2}0\.9\* {4}9 /m);
  expect(stdout).toMatch(/^ {2}used by +apply-1-\w+$/m);
  expect(stdout).toMatch(/^ {2}fit {4}train {2}train {3}file /m);
  expect((await project.wf(["show", "last"])).stdout).toContain("lines@2");
  expect((await project.wf(["show", run])).stdout).toContain("wf models lines@2");
});

it("is written out, tagged, kept when its runs go, and forgotten only when told", async () => {
  await train(5);
  await train(9);
  expect((await project.wf(["models", "lines@1", "--tag", "good"])).stdout).toBe("lines@good is lines@1\n");
  expect((await project.wf(["models", "lines@good", "--export", "out.txt"])).exitCode).toBe(0);
  expect(project.read("out.txt")).toBe("5 1,2\n");

  expect((await project.wf(["gc", "--keep", "0"])).exitCode).toBe(0);
  expect((await project.wf(["runs", "--json"])).events).toEqual([]);
  expect(await used("newest.ts", "-i", "model=model:lines@good")).toBe("5");
  expect((await project.wf(["models", "lines@2"])).stdout).toContain("(deleted since)");

  expectError(await project.wf(["models", "lines", "--remove", "--json"]), "WF_USAGE", {
    says: /which version/,
    next: /lines@2/,
  });
  expect((await project.wf(["models", "lines@2", "--remove"])).exitCode).toBe(0);
  expect(registered(await train(9))).toMatchObject([{ version: 3, isNew: true }]);
});

it("counts on when runs end at the same moment", async () => {
  const runs = await Promise.all([1, 2, 3, 4].map((size) => train(size)));
  const versions = runs.map((outcome) => registered(outcome)?.[0].version as number);
  expect(versions.sort()).toEqual([1, 2, 3, 4]);
});

it("is not registered by a run that fails, but is when that run is resumed and succeeds", async () => {
  const failed = await project.wf(["run", "train.ts", "--json"], { env: { MOOD: "bad" } });
  expect(finishOf(failed)).toMatchObject({ status: "failed" });
  expect((await project.wf(["models", "--json"])).events).toEqual([]);
  const resumed = await project.wf(["resume", "last", "--json"], GOOD);
  expect(registered(resumed)).toMatchObject([{ name: "lines", version: 1, isNew: true }]);
});

it("is fixed in a saved plan, whatever is registered later", async () => {
  await train(5);
  await project.wf(["plan", "newest.ts", "--save", "plan.jsonl"]);
  await train(9);
  const outcome = await project.wf(["run", "plan.jsonl", "--json", "--outputs", "results"]);
  expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
  expect(project.read("results", "copy.txt")).toBe("5 1,2\n");
});

it("says so when the content of a model was lost", async () => {
  await train(5);
  const hash = project.ask<string>("SELECT hash FROM model") as string;
  const object = project.path(".wf", "objects", hash.slice(0, 2), hash);
  expect(readFileSync(object, "utf8")).toBe("5 1,2\n");
  rmSync(object);
  const outcome = await project.wf(["run", "newest.ts", "--json"]);
  expectError(outcome, "WF_ARTIFACT_MISSING", { says: /lines@1/, next: /train\.ts/ });
});
