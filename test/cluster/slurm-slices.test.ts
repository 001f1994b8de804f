/** A training that takes longer than SLURM lets it run: it goes on in the next job, to the same bits. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { ALL_EPOCHS, endsOf, epochsShown, secondsOf, slicedTraining, stateOf, taking } from "../e2e/sliced-training.ts";
import { finishOf } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;
/** Longer than the minute of the partition. It is the price of this test. */
const TRAINING_SECONDS = 62;

const siteFile = (storage: string) => `
sites:
  cluster:
    backend: slurm
    storage: ${storage}
    python: /usr/bin/python3
    slurm:
      partitions: [{ name: short, maxTime: 1m, cpusPerNode: 8 }]
      batchWindow: 0.05s
      poll: { every: 1s, atMost: 5s }
`;

describe.skipIf(found === null)("a training on a partition of one minute", () => {
  test("goes on in slices, and ends as one that was never interrupted", async () => {
    const storage = mkdtempSync(join(cluster.folder, "slices-"));
    const project = slicedTraining("1h", { "sites.yaml": siteFile(storage) });
    const env = { SLURM_CONF: cluster.slurmConf };
    const run = ["run", "flow.ts", "--json"];
    const sliced = await project.wf([...run, "--site", "cluster", ...taking(TRAINING_SECONDS)], { env });
    expect(finishOf(sliced)?.status, sliced.stdout + sliced.stderr).toBe("succeeded");
    const ends = endsOf(sliced);
    expect(ends.length, "a machine that is very busy needs more than two").toBeGreaterThan(1);
    expect(ends).toEqual([...ends.slice(1).map(() => "slice-ended"), "done"]);
    expect(secondsOf(sliced)).toBeGreaterThan(60);
    expect(await epochsShown(project, finishOf(sliced)?.run)).toEqual(ALL_EPOCHS);
    expect(stateOf(sliced)).toBe(stateOf(await project.wf(run, { env })));
  });
});
