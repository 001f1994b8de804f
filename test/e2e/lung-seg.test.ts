/** Lung segmentation, small, through the built program: real training, and the same numbers whoever brings the X-rays. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { finishOf, makeProject, type Outcome, type Project } from "./wf-project.ts";
import { itWithPyTorch } from "./with-pytorch.ts";

const LUNG_SEG = fileURLToPath(new URL("../../workflows/lung-seg.ts", import.meta.url));
const TASKS = fileURLToPath(new URL("../../workflows/lung-seg/tasks.ts", import.meta.url));
const SEED = 3;
const PATIENTS = 20;
const SMALL = ["size=32", "trials=2", "rungs=[1]", "epochs=4", "threads=1", "ratios=[0.6,0.2,0.2]", `seed=${SEED}`];

const GENERATE = `
import { workflow } from "wf";
import { generate } from ${JSON.stringify(TASKS)};
export default workflow({ name: "make", build: () => generate({}, { patients: ${PATIENTS}, seed: ${SEED} }) });
`;

function lungSeg(project: Project, ...words: string[]) {
  const params = SMALL.flatMap((param) => ["--param", param]);
  return project.wf(["run", LUNG_SEG, "--json", "--store", project.path("store"), ...params, ...words]);
}

function metricsOf(outcome: Outcome): { test_dice: number; test_iou: number; baseline_dice: number } {
  const finish = finishOf(outcome);
  expect(finish, outcome.stderr).toMatchObject({ status: "succeeded" });
  return finish?.metrics;
}

/** The X-rays of the generator, as a person would keep them. */
async function folderOfXrays(project: Project): Promise<string> {
  project.write("make.ts", GENERATE);
  metricsOf(await project.wf(["run", "make.ts", "--json", "--outputs", "made"]));
  const folder = project.path("own x-rays");
  mkdirSync(folder);
  cpSync(project.path("made/xrays/image"), join(folder, "images"), { recursive: true });
  cpSync(project.path("made/xrays/mask"), join(folder, "masks"), { recursive: true });
  const rows = project.read("made/xrays/rows.jsonl").trim().split("\n");
  const named = rows.map((row) => JSON.parse(row) as { image: string; patient: string });
  const lines = named.map(({ image, patient }) => `${image.replace("image/", "")},${patient}`);
  writeFileSync(join(folder, "patients.csv"), ["image,patient", ...lines].join("\n"));
  return folder;
}

itWithPyTorch(
  "trains, beats the threshold, and gives the same numbers for the same X-rays from a folder",
  async () => {
    const one = makeProject({});
    const two = makeProject({});
    const own = await folderOfXrays(two);
    const [made, given] = await Promise.all([
      lungSeg(one, "--param", `patients=${PATIENTS}`, "--outputs", one.path("results")),
      lungSeg(
        two,
        "--input",
        `xrays=${own}`,
        "--input",
        `apply=${join(own, "images")}`,
        "--outputs",
        two.path("results"),
      ),
    ]);
    const metrics = metricsOf(made);
    expect(metricsOf(given)).toEqual(metrics);
    expect(metrics.test_dice).toBeGreaterThan(metrics.baseline_dice + 0.1);
    expect(metrics.test_iou).toBeLessThan(metrics.test_dice);
    expect(readFileSync(one.path("results/model.safetensors"))).toEqual(
      readFileSync(two.path("results/model.safetensors")),
    );
    const report = readFileSync(one.path("results/report.html"), "utf8");
    for (const part of ["Predictions beside the truth", "Search", "Provenance"]) expect(report).toContain(part);
    expect(existsSync(one.path("results/applied"))).toBe(false);
    const images = two.read("own x-rays/patients.csv").trim().split("\n").length - 1;
    expect(JSON.parse(two.read("results/applied/results.json"))).toHaveLength(images);
  },
  240_000,
);

itWithPyTorch("names the image that has no mask, before anything is trained", async () => {
  const project = makeProject({});
  const folder = project.path("data");
  for (const name of ["images", "masks"]) mkdirSync(join(folder, name), { recursive: true });
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNgYGBgYAAAAAYAAXKCmeoAAAAASUVORK5CYII=";
  for (const name of ["a", "b"]) writeFileSync(join(folder, "images", `${name}.png`), pixel, "base64");
  writeFileSync(join(folder, "masks", "a.png"), pixel, "base64");
  const params = SMALL.flatMap((param) => ["--param", param]);
  const outcome = await project.wf([
    ...["run", LUNG_SEG, "--plain", "--store", project.path("store"), ...params],
    ...["--input", `xrays=${folder}`],
  ]);
  expect(outcome.exitCode).toBe(1);
  const shown = outcome.stdout + outcome.stderr;
  expect(shown).toMatch(/the image has no mask: .*b\.png/);
  expect(shown).toMatch(/hint: add masks\/b\.png/);
  expect(shown).not.toContain("Traceback");
  expect(shown).not.toContain("train started");
});
