/** The engine itself breaks: what waits in the queue is taken out of it, and what runs is named. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { finishOf, makeProject } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

/** Each of them needs the whole node, so that one runs and the others wait. */
const waitingFor = (gate: string) => `
import { each, file, task, workflow, z } from "wf";

const nap = task({
  name: "nap",
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  resources: { cpus: 8 },
  command: ({ outputs, params }) => ["sh", "-c", 'until [ -e "$1$2" ]; do sleep 0.1; done; echo > "$3"', "sh", ${JSON.stringify(gate)}, params.i, outputs.text],
});

export default workflow({ name: "naps", build: () => ({ texts: each([1, 2, 3, 4]).map((i) => nap({}, { i })).text }) });
`;

describe.skipIf(found === null)("an engine that breaks", () => {
  if (found === null) return;
  const root = openFolder(cluster.folder, "breaks-");
  const env = { ...process.env, SLURM_CONF: cluster.slurmConf };
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** `12_0 RUNNING`. */
  const inQueueOf = (run: string, states: string) =>
    execFileSync("squeue", ["-h", "-r", "-t", states, "-o", "%i %j"], { env, encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(run))
      .map((line) => line.split(" ")[0]);

  it("leaves nothing waiting, says what runs and how to end it, and goes on when it is resumed", async () => {
    const sites = `sites:
  laptop:
    backend: slurm
    storage: ${join(root, "storage")}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: solo }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } }
    host: slurm
    sshConfig: ${cluster.sshConfig}
`;
    const gate = join(root, "gate");
    const project = makeProject({ "sites.yaml": sites, "naps.ts": waitingFor(gate) });
    const started = project.start(["run", "naps.ts", "--site", "laptop", "--json"]);
    await until("a task that runs", () => project.ask("SELECT count(*) FROM attempt WHERE started IS NOT NULL") === 1);
    const [run] = project.runs() as [string];
    await until("three jobs that wait", () => inQueueOf(run, "PENDING").length === 3);

    const rename = (from: string, to: string) => {
      const db = new Database(project.path(".wf", "wf.db"), { timeout: 20_000 });
      db.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      db.close();
    };
    rename("events", "events_gone");
    writeFileSync(`${gate}1`, "");
    const { exitCode, stderr } = await started.ended;
    expect(exitCode).not.toBe(0);
    expect(inQueueOf(run, "PENDING")).toEqual([]);
    for (const job of inQueueOf(run, "RUNNING")) expect(stderr).toContain(job);
    const removal = /this ends them: (scancel .*)/.exec(stderr)?.[1];
    if (removal !== undefined) execFileSync("sh", ["-c", removal], { env });
    await until("an empty queue", () => inQueueOf(run, "PENDING,RUNNING,COMPLETING").length === 0);

    rename("events_gone", "events");
    for (const i of [2, 3, 4]) writeFileSync(`${gate}${i}`, "");
    const resumed = await project.wf(["resume", "--json"]);
    expect(finishOf(resumed), resumed.stderr).toMatchObject({ status: "succeeded" });
    expect(inQueueOf(run, "PENDING,RUNNING,COMPLETING")).toEqual([]);
  });
});
