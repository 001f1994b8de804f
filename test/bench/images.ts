import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark } from "./benchmark.ts";
import { openWorkflow } from "./measured-run.ts";

const IMAGES = 5_000;
const CHUNK = 500;
const MOST_MEMORY_BYTES = 1e9;

export const images: Benchmark = {
  name: "images",
  description: `${IMAGES} droplets through a trained model, in tasks of ${CHUNK}: images a second, and memory of a task`,
  async run() {
    const trained = mkdtempSync(join(tmpdir(), "wf-bench-model-"));
    await openWorkflow("spheroids-train.ts").wf("run", "--quiet", "--outputs", trained);
    const project = openWorkflow("spheroids.ts");
    const model = `model=${join(trained, "model.pt")}`;
    await project.wf("run", "--quiet", "-i", model, "-p", `droplets=${IMAGES}`, "-p", `chunk=${CHUNK}`);
    rmSync(trained, { recursive: true, force: true });
    const [row = {}] = await project.query(
      `SELECT max(attempts.ended_at) - min(attempts.started_at) AS seconds, sum(wall_seconds) AS worked,
         max(peak_memory_bytes) AS memory
       FROM attempts JOIN tasks ON tasks.id = attempts.task_id WHERE tasks.name LIKE 'apply.%'`,
    );
    const seconds = Number(row.seconds);
    return [
      {
        name: "images",
        value: IMAGES / seconds,
        unit: "images/s",
        reference: "one task after the other",
        referenceValue: IMAGES / Number(row.worked),
      },
      {
        name: "images-memory",
        value: Number(row.memory),
        unit: "B",
        reference: "limit",
        referenceValue: MOST_MEMORY_BYTES,
        ratioAtMost: 1,
      },
    ];
  },
};
