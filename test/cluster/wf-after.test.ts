/** A run that waits for a job that is there already, and what the queue calls its jobs. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, describe, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { finishOf, makeProject, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

const NAPS = `
import { each, file, many, task, workflow, z } from "wf";

const nap = task({
  name: "nap",
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["sh", "-c", 'echo "$1" > "$2"', "sh", params.i, outputs.text],
});
const join = task({
  name: "join",
  inputs: { texts: many(file("txt")) },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'out=$1; shift; cat "$@" > "$out"', "sh", outputs.text, inputs.texts],
});

export default workflow({
  name: "naps",
  build: () => ({ text: join({ texts: each([1, 2, 3]).map((i) => nap({}, { i })).text }).text }),
});
`;

const FLAKY = `
import { file, task, workflow } from "wf";

const flaky = task({
  name: "flaky",
  outputs: { text: file("txt") },
  command: ({ outputs }) => ["sh", "-c", 'case "$WF_ATTEMPT" in *@[12]) exit 3;; esac; echo > "$1"', "sh", outputs.text],
});

export default workflow({ name: "unsteady", build: () => ({ text: flaky({}).text }) });
`;

describe.skipIf(found === null)("runs and the jobs of others", () => {
  if (found === null) return;
  const root = openFolder(cluster.folder, "after-");
  const env = { ...process.env, SLURM_CONF: cluster.slurmConf };
  const onLogin = { env: { SLURM_CONF: cluster.slurmConf } };
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const slurm = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { env, encoding: "utf8" }).trim();

  function projectOn(files: Readonly<Record<string, string>>): Project {
    const storage = join(openFolder(root, "case-"), "storage");
    const sites = `sites:
  login:
    backend: slurm
    storage: ${storage}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } }
`;
    return makeProject({ "sites.yaml": sites, ...files });
  }

  /** One that ends with `code` when the file is there. */
  function foreignJob(gate: string, code: number): string {
    const script = `until [ -e ${gate} ]; do sleep 0.1; done; exit ${code}`;
    return slurm("sbatch", "--parsable", "--output=/dev/null", "--partition=main", `--wrap=${script}`);
  }

  it("waits for a job with --after, starts when it has ended well, and is told apart in the queue", async ({
    expect,
  }) => {
    const project = projectOn({ "naps.ts": NAPS });
    const gate = join(project.folder, "gate");
    const job = foreignJob(gate, 0);
    const started = project.start(["run", "naps.ts", "--site", "login", "--after", job, "--json"], onLogin);
    const jobs = () => slurm("squeue", "-h", "-r", "-t", "PENDING", "-o", "%j %r %E").split("\n");
    const ours = await until("our job in the queue", () => {
      const found = jobs().filter((line) => line.includes(`afterok:${job}`));
      return found.length === 3 && found;
    });
    const [run] = project.runs();
    for (const line of ours) expect(line).toMatch(new RegExp(`^nap\\.0\\+2-${run}-[0-9a-f]{16} `));
    expect(project.ask("SELECT count(*) FROM attempt WHERE started IS NOT NULL")).toBe(0);
    writeFileSync(gate, "");
    expect(finishOf(await started.ended)).toMatchObject({ status: "succeeded" });
  });

  it("says so where the job that it waits for fails, and leaves nothing in the queue", async ({ expect }) => {
    const project = projectOn({ "naps.ts": NAPS });
    const gate = join(project.folder, "gate");
    writeFileSync(gate, "");
    const job = foreignJob(gate, 1);
    const { events, exitCode } = await project.wf(
      ["run", "naps.ts", "--site", "login", "--after", job, "--json"],
      onLogin,
    );
    expect(exitCode).toBe(1);
    const failed = events.filter(({ type, state }) => type === "task.ended" && state === "failed");
    expect(failed[0]?.cause).toMatchObject({
      class: "not-started",
      message: expect.stringContaining("has not ended well"),
    });
    const [run] = project.runs() as [string];
    await until("an empty queue", () => !slurm("squeue", "-h", "-o", "%j").includes(run));
  });

  it("goes on in the background with resume --detach, with the retries that it is given", async ({ expect }) => {
    const project = projectOn({ "flaky.ts": FLAKY });
    const first = await project.wf(["run", "flaky.ts", "--site", "login", "--json"], onLogin);
    expect(finishOf(first)).toMatchObject({ status: "failed" });
    const resumed = await project.wf(["resume", "--detach", "--retries", "1", "--json"], onLogin);
    expect(resumed.events.at(-1), resumed.stderr).toMatchObject({ type: "run.detached", run: project.runs()[0] });
    const followed = await project.wf(["status", "--follow", "--json"], onLogin);
    expect(followed.exitCode).toBe(0);
    expect(project.ask("SELECT count(*) FROM attempt")).toBe(3);
  });

  it("refuses --after where there is no such thing, before anything is stored", async ({ expect }) => {
    const project = projectOn({ "naps.ts": NAPS });
    const local = await project.wf(["run", "naps.ts", "--after", "12", "--json"]);
    expect(local.exitCode).toBe(2);
    expect(local.stderr).toContain("--after cannot be used on local: it has no queue of jobs");
    const wrong = await project.wf(["run", "naps.ts", "--site", "login", "--after", "last", "--json"], onLogin);
    expect(wrong.stderr).toContain('--after wants the number of a job, not "last"');
    expect(project.ask("SELECT count(*) FROM run") ?? 0).toBe(0);
  });
});
