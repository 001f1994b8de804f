/** The storage of a cluster: what two projects that share it may remove of it, and what of it is damaged. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { describe, expect, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { expectError, finishOf, type JsonEvent, makeProject, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

const FLOW = `
import { file, task, workflow, z } from "wf";

const write = task({
  name: "write",
  params: z.object({ text: z.string(), seconds: z.number() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["sh", "-c", 'echo "$1" > "$2"; sleep "$3"', "sh", params.text, outputs.text, params.seconds],
});

export default workflow({
  name: "flow",
  params: z.object({ text: z.string(), seconds: z.number().default(0) }),
  build: ({ params }) => ({ text: write({}, params).text }),
});
`;

describe.skipIf(found === null)("the storage of a cluster", { concurrent: true }, () => {
  function newStorage(): string {
    process.umask(0);
    const folder = mkdtempSync(join(cluster.folder, "gc-"));
    chmodSync(folder, 0o777);
    return join(folder, "wf");
  }

  function projectOn(storage: string): Project {
    const slurm = "{ partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } }";
    const site = { backend: "slurm", host: "slurm", sshConfig: cluster.sshConfig, storage, python: "/usr/bin/python3" };
    const lines = Object.entries(site).map(([name, value]) => `    ${name}: ${value}\n`);
    return makeProject({
      "flow.ts": FLOW,
      "sites.yaml": `sites:\n  cluster:\n${lines.join("")}    slurm: ${slurm}\n`,
    });
  }
  const words = (text: string, seconds = 0) => ["-p", `text=${text}`, "-p", `seconds=${seconds}`];
  async function run(here: Project, text: string): Promise<string> {
    const outcome = await here.wf(["run", "flow.ts", "--site", "cluster", "--json", ...words(text)]);
    expect(finishOf(outcome)?.status, outcome.stdout + outcome.stderr).toBe("succeeded");
    return finishOf(outcome)?.run;
  }
  async function gc(here: Project, ...more: string[]): Promise<JsonEvent> {
    const outcome = await here.wf(["gc", "--site", "cluster", "--json", ...more]);
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
    return JSON.parse(outcome.stdout).site;
  }
  const runsThere = (storage: string) => readdirSync(join(storage, "runs")).sort();
  const slurm = (command: string, ...args: string[]) =>
    execFileSync(command, args, { encoding: "utf8", env: { ...process.env, SLURM_CONF: cluster.slurmConf } });

  test("wf gc removes what runs left there that are deleted here, says how much before, and leaves others alone", async () => {
    const storage = newStorage();
    const [ours, theirs] = [projectOn(storage), projectOn(storage)];
    const first = await run(ours, "one");
    const second = await run(ours, "two");
    const other = await run(theirs, "three");
    const all = [first, second, other].sort();
    const dry = await gc(ours, "--keep", "1", "--dry-run");
    expect(dry).toMatchObject({ name: "cluster", runs: { count: 1 }, objects: { count: 0 }, busy: [], others: 1 });
    expect(dry.runs.bytes).toBeGreaterThan(0);
    expect(dry.young.count, "what only the first run made, too new to go").toBe(1);
    expect(runsThere(storage)).toEqual(all);
    expect(await gc(ours, "--keep", "1")).toEqual(dry);
    expect(runsThere(storage)).toEqual(all.filter((name) => name !== first));
    const again = await ours.wf(["gc", "--site", "cluster"]);
    expect(again.stdout).toMatch(/^on cluster: freed 0 B: no objects \(0 B\), no run folders \(0 B\)$/m);
    expect(again.stdout).toMatch(/^on cluster: left alone 1 run of other stores$/m);
    for (const [here, text] of [
      [ours, "two"],
      [theirs, "three"],
    ] as const) {
      const planned = await here.wf(["plan", "flow.ts", "--site", "cluster", "--json", ...words(text)]);
      expect(planned.events.find(({ type }) => type === "totals")).toMatchObject({ run: 0 });
    }
  });

  test("wf gc removes nothing that an open run may need, and no run whose jobs are in the queue", async () => {
    const storage = newStorage();
    const [ours, theirs] = [projectOn(storage), projectOn(storage)];
    const { child, ended } = theirs.start(["run", "flow.ts", "--site", "cluster", "--json", ...words("long", 600)]);
    await until("the start", () => theirs.ask("SELECT count(*) FROM attempt WHERE started IS NOT NULL") === 1);
    const busy = theirs.ask("SELECT run FROM run") as string;
    const open = ["gc", "--site", "cluster", "--json"];
    await run(ours, "four");
    expectError(await theirs.wf(open), "WF_RUN_OWNED", { says: /still runs/, next: /wf status/ });
    child.kill("SIGKILL");
    await ended;
    expectError(await ours.wf(open), "WF_RUN_OWNED", {
      says: new RegExp(`${busy} of .*still runs there`),
      next: /resume/,
    });
    expect(await gc(theirs)).toMatchObject({ runs: { count: 0 }, busy: [] });
    expect(await gc(theirs, "--older-than", "0s")).toMatchObject({ runs: { count: 0 }, busy: [busy] });
    expect(runsThere(storage)).toContain(busy);
    const queued = () =>
      slurm("squeue", "-h", "-o", "%i %j")
        .split("\n")
        .filter((line) => line.includes(busy));
    slurm("scancel", ...queued().map((line) => line.split(" ")[0] as string));
    await until("an empty queue", () => queued().length === 0, { lastSeen: queued });
    expect(await gc(theirs)).toMatchObject({ runs: { count: 1 }, busy: [] });
    expect(runsThere(storage)).not.toContain(busy);
    await gc(ours);
  });

  test("wf verify reads it there, names what is damaged and what runs again, and sets it aside", async () => {
    const storage = newStorage();
    const here = projectOn(storage);
    const name = await run(here, "five");
    const verify = () => here.wf(["verify", "--site", "cluster"]);
    expect(await verify()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/✓ sound {2}\d+ objects?, 1 record/),
    });
    const hash = createHash("sha256").update("five\n").digest("hex");
    const object = join(storage, "objects", hash.slice(0, 2), hash);
    chmodSync(object, 0o644);
    writeFileSync(object, "four\n");
    const found = await verify();
    expect(found.exitCode).toBe(1);
    expect(found.stdout).toContain(`object ${hash} is damaged\n    runs again: write of ${name}`);
    expect(readFileSync(join(storage, "quarantine", hash), "utf8")).toBe("four\n");
    expect(await verify()).toMatchObject({ exitCode: 0 });
    const again = await here.wf(["run", "flow.ts", "--site", "cluster", "--json", "-o", "results", ...words("five")]);
    expect(readFileSync(here.path("results", "text.txt"), "utf8"), again.stdout + again.stderr).toBe("five\n");
  });
});
