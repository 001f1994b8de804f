/** A task that needs more memory than it asked for: the next attempt gets it. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { finishOf, makeProject } from "../e2e/wf-project.ts";
import { found as cluster } from "./own-cluster.ts";

const GREEDY = `
import { file, task, workflow } from "wf";

const greedy = task({
  name: "greedy",
  outputs: { text: file("txt") },
  resources: { memory: "200MiB" },
  retries: 1,
  command: ({ outputs }) => [
    "python3", "-c", "import sys, time; x = b'x' * (300 << 20); time.sleep(8); open(sys.argv[1], 'w').write('fits')", outputs.text,
  ],
});

export default workflow({ name: "greedy", build: () => ({ text: greedy({}).text }) });
`;

describe.skipIf(cluster === null)("memory on a cluster", () => {
  if (cluster === null) return;
  const root = mkdtempSync(join(cluster.folder, "wf-"));
  chmodSync(root, 0o777);
  const env = { SLURM_CONF: cluster.slurmConf };
  afterAll(() => {
    execFileSync("scancel", ["--partition=main"], { env: { ...process.env, ...env } });
    rmSync(root, { recursive: true, force: true });
  });

  it("grows after out-of-memory, from what was measured", async () => {
    process.umask(0);
    const slurm = "slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } }";
    const site = `backend: slurm\n    storage: ${root}\n    python: /usr/bin/python3\n    ${slurm}`;
    const project = makeProject({ "sites.yaml": `sites:\n  login:\n    ${site}\n`, "greedy.ts": GREEDY });
    const run = await project.wf(["run", "greedy.ts", "--site", "login", "--json"], { env });
    expect(finishOf(run)).toMatchObject({ status: "succeeded" });
    const asked = run.events.filter(({ type }) => type === "job.submitted").map(({ resources }) => resources);
    expect(asked).toMatchObject([{ memoryBytes: 200 * 2 ** 20 }, { memoryBytes: expect.any(Number) }]);
    expect((asked[1] as { memoryBytes: number }).memoryBytes).toBeGreaterThanOrEqual(400 * 2 ** 20);
    expect(run.events.find(({ type }) => type === "task.retry")).toMatchObject({ failure: "out-of-memory" });
  });
});
