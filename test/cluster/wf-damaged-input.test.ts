/** One input that cannot be read, among many that can: the task that wants it fails, and nothing stays in the queue. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { endOf, finishOf, makeProject, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;
const FILES = 20;
const DAMAGED = 7;
const partOf = (number: number) => `part ${String(number).padStart(2, "0")}`;

/** In the store. */
function damagedObject(project: Project): string {
  const hash = createHash("sha256").update(partOf(DAMAGED)).digest("hex");
  return project.path(".wf", "objects", hash.slice(0, 2), hash);
}

/** Objects are read-only. */
function overwrite(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text);
}

/** What the tasks of `upper` read is sent when `gate` has ended, so that a test can damage it before. */
const workflowBehind = (gate: string) => `
import { directory, file, task, workflow } from "wf";

const gate = task({
  name: "gate",
  outputs: { text: file("txt") },
  command: ({ outputs }) => ["sh", "-c", 'until [ -e "$1" ]; do sleep 0.1; done; echo open > "$2"', "sh", ${JSON.stringify(gate)}, outputs.text],
});
const upper = task({
  name: "upper",
  inputs: { part: file(), gate: file("txt") },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'tr a-z A-Z < "$1" > "$2"', "sh", inputs.part, outputs.text],
});

export default workflow({
  name: "uppers",
  inputs: { parts: directory({ path: "parts" }) },
  build({ inputs }) {
    const opened = gate({});
    return { texts: inputs.parts.files("*").map((part) => upper({ part, gate: opened.text })).text };
  },
});
`;

describe.skipIf(found === null)("an input that cannot be read", { concurrent: true }, () => {
  if (found === null) return;
  const root = openFolder(cluster.folder, "damaged-");
  const env = { ...process.env, SLURM_CONF: cluster.slurmConf };
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const inQueueOf = (run: string) =>
    execFileSync("squeue", ["-h", "-o", "%j %T"], { env, encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(run));

  /** Starts a run, has `damage` act on the content of one input, and lets the run go on. */
  async function runDamaged(site: string, damage: (object: string) => void) {
    const folder = openFolder(root, "case-");
    const gate = join(folder, "gate");
    const there = `backend: slurm
    storage: ${join(folder, "storage")}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 2, atMost: 5 } }`;
    const parts = Object.fromEntries(
      Array.from({ length: FILES }, (_, number) => [`parts/${number}.txt`, partOf(number)]),
    );
    const sites = `sites:
  laptop:
    ${there}
    host: slurm
    sshConfig: ${cluster.sshConfig}
  login:
    ${there}
`;
    const project = makeProject({ "sites.yaml": sites, "uppers.ts": workflowBehind(gate), ...parts });
    const words = ["run", "uppers.ts", "--site", site, "--keep-going", "--json"];
    const started = project.start(words, { env: { SLURM_CONF: cluster.slurmConf } });
    await until("the start of gate", () =>
      project.ask("SELECT 1 FROM attempt WHERE task = 'gate' AND started IS NOT NULL"),
    );
    damage(damagedObject(project));
    writeFileSync(gate, "");
    return { project, outcome: await started.ended };
  }

  it.each([
    ["is gone", "laptop", (object: string) => rmSync(object)],
    ["is damaged", "laptop", (object: string) => overwrite(object, partOf(DAMAGED).toUpperCase())],
    ["is damaged", "login", (object: string) => overwrite(object, partOf(DAMAGED).toUpperCase())],
  ])(
    "%s (%s): fails the one task that wants it, and the run can be resumed when it is back",
    async (_how, site, damage) => {
      const { project, outcome } = await runDamaged(site, damage);
      expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "failed" });
      const failed = outcome.events.filter((event) => event.type === "task.ended" && event.state === "failed");
      expect(failed.map(({ cause }) => cause)).toEqual([
        expect.objectContaining({ class: "stage-in", message: expect.stringMatching(/input part .*objects/) }),
      ]);
      expect(project.ask("SELECT count(*) FROM task WHERE state = 'done'")).toBe(FILES);
      const [run] = project.runs() as [string];
      await until("an empty queue", () => inQueueOf(run).length === 0);

      const resume = () => project.wf(["resume", "--json"], { env: { SLURM_CONF: cluster.slurmConf } });
      const stillBroken = await resume();
      expect(endOf(stillBroken, failed[0]?.task)).toMatchObject({ state: "failed", cause: { class: "stage-in" } });
      overwrite(damagedObject(project), partOf(DAMAGED));
      expect(finishOf(await resume())).toMatchObject({ status: "succeeded" });
      await until("an empty queue", () => inQueueOf(run).length === 0);
    },
  );
});
