/** The galaxy, crisis and spheroids workflows, small, through the built program: every stage runs, with real training. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { finishOf, makeProject, type Outcome, type Project } from "./wf-project.ts";
import { itWithPyTorch } from "./with-pytorch.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../../workflows/${name}.ts`, import.meta.url));
const SMALL = ["trials=1", "rungs=[1]", "threads=1"];

function run(project: Project, name: string, params: readonly string[], ...words: string[]): Promise<Outcome> {
  const given = params.flatMap((param) => ["--param", param]);
  return project.wf(["run", pathOf(name), "--store", project.path("store"), ...given, ...words]);
}

function metricsOf(outcome: Outcome): Record<string, number> {
  const finish = finishOf(outcome);
  expect(finish, outcome.stderr).toMatchObject({ status: "succeeded" });
  return finish?.metrics;
}

itWithPyTorch(
  "galaxy: five unbalanced classes, the rare ones augmented",
  async () => {
    const project = makeProject({});
    const params = [...SMALL, "galaxies=100", "size=32", "epochs=1", "chunk=40", 'augmented={"3-edge-on":30}'];
    const outcome = await run(project, "galaxy", params, "--json", "--outputs", project.path("results"));
    const metrics = metricsOf(outcome);
    expect(Object.keys(metrics).sort()).toEqual(["baseline_macro_accuracy", "test_accuracy", "test_macro_accuracy"]);
    const [head, ...lines] = project.read("results/predictions.csv").trim().split("\n");
    expect(head).toContain("2-cigar-shaped-smooth");
    const right = lines.map((line) => line.split(",")).filter(([, label, predicted]) => label === predicted);
    expect(metrics.test_accuracy).toBeCloseTo(right.length / lines.length, 6);
    expect(readFileSync(project.path("results/report.html"), "utf8")).toContain("What was taken for what");
  },
  240_000,
);

itWithPyTorch(
  "galaxy names the class that is too small, before anything is trained",
  async () => {
    const project = makeProject({});
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNgYGBgYAAAAAYAAXKCmeoAAAAASUVORK5CYII=";
    for (const name of ["spiral/a", "spiral/b", "spiral/c", "round/a"]) {
      mkdirSync(project.path(join("own", name, "..")), { recursive: true });
      writeFileSync(project.path(join("own", `${name}.png`)), pixel, "base64");
    }
    const outcome = await run(project, "galaxy", SMALL, "--plain", "--input", `images=${project.path("own")}`);
    const shown = outcome.stdout + outcome.stderr;
    expect(outcome.exitCode).toBe(1);
    expect(shown).toContain('class "round" has 1 of the 3 images');
    expect(shown).not.toContain("Traceback");
    expect(shown).not.toContain("train started");
  },
  60_000,
);

itWithPyTorch(
  "crisis: two pipelines that meet",
  async () => {
    const project = makeProject({});
    const params = [...SMALL, "posts=100", "size=32", "textEpochs=2", "imageEpochs=1", "chunk=40"];
    const outcome = await run(project, "crisis", params, "--json", "--outputs", project.path("results"));
    const metrics = metricsOf(outcome);
    for (const name of ["text_accuracy", "image_accuracy", "fusion_accuracy"]) {
      expect(metrics[name]).toBeGreaterThan(0.2);
    }
    expect(project.read("results/predictions.csv").split("\n")[0]).toMatch(/^id,label,text,image,fusion,/);
  },
  240_000,
);

itWithPyTorch(
  "spheroids: a model is trained and registered, and the application takes it",
  async () => {
    const project = makeProject({});
    const early = await run(project, "spheroids", [], "--plain");
    expect(early.stdout + early.stderr).toContain("WF_MODEL_NOT_FOUND");

    const trained = await run(project, "spheroids-train", [...SMALL, "droplets=24", "epochs=2"], "--json");
    const metrics = metricsOf(trained);
    expect(metrics.baseline_count_error).toBeGreaterThan(0.2);

    const params = ["droplets=30", "chunk=8"];
    const applied = await run(project, "spheroids", params, "--json", "--outputs", project.path("results"));
    expect(metricsOf(applied).images).toBe(30);
    expect(readdirSync(project.path("results/masks/mask"))).toHaveLength(30);
    expect(project.read("results/table.csv").trim().split("\n")).toHaveLength(31);
    expect(project.read("results/gallery.html")).toContain("Examples");
  },
  240_000,
);
