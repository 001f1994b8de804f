/** A few allocations that work off many jobs: what becomes of them when pilots die, and of a search that has two. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, ContractSession, ledger, letGo, shellJob, sign, waitFor } from "@wf/backend/contract";
import { SlurmSettings } from "@wf/site";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { finishOf, makeProject } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";
import { byAPilot, newHarness } from "./slurm-harness.ts";

const cluster = found as SlurmCluster;

describe.skipIf(found === null)("pilots on a real cluster", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  interface Stage {
    readonly harness: BackendHarness;
    readonly session: ContractSession;
    /** Another engine of the same run. */
    reopen(): Promise<ContractSession>;
  }

  async function onStage(settings: object, act: (stage: Stage) => Promise<void>): Promise<void> {
    const parsed = SlurmSettings.parse({ ...byAPilot("c1"), ...settings });
    const harness = newHarness(cluster, transport, parsed);
    const sessions: ContractSession[] = [];
    const reopen = async () => {
      const session = new ContractSession(harness.create());
      sessions.push(session);
      await session.open();
      return session;
    };
    try {
      await act({ harness, session: await reopen(), reopen });
    } finally {
      for (const session of sessions) await session.clear();
      await harness.dispose();
    }
  }

  const submissionsOf = (harness: BackendHarness) =>
    readdirSync(join(harness.storage, "runs", harness.run, "submissions")).sort();
  const idOf = (harness: BackendHarness, pilot: string) =>
    readFileSync(join(harness.storage, "runs", harness.run, "submissions", pilot, "id"), "utf8");
  /** The processes that work as pilots of this test's own storage. */
  function pilotPids(harness: BackendHarness): readonly number[] {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => commandOf(pid).includes(`\0pilot\0${harness.storage}\0`)).map(Number);
  }
  const slow = (harness: BackendHarness, attempt: string, cpus = 4) => ({
    ...shellJob(harness, attempt, `${sign(harness, attempt)}; ${waitFor(harness, "go")}`, { cpus }),
    cpus,
  });
  const quick = (harness: BackendHarness, attempt: string, cpus = 1) => ({
    ...shellJob(harness, attempt, sign(harness, attempt), { cpus }),
    cpus,
  });

  test("many jobs are worked off by one job of SLURM", async () => {
    await onStage({}, async ({ harness, session }) => {
      const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
      await session.submit(...names.map((name) => quick(harness, name)));
      for (const name of names) expect(await session.finished(name)).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(names.toSorted());
      expect(submissionsOf(harness)).toEqual(["pilot-1"]);
    });
  });

  test("what is too large for a pilot is a job of its own", async () => {
    await onStage({ pilots: { jobs: 1, cpus: 2, idle: 1 } }, async ({ harness, session }) => {
      await session.submit(slow(harness, "wide"), quick(harness, "narrow"));
      letGo(harness, "go");
      expect(await session.finished("wide")).toMatchObject({ state: "succeeded" });
      expect(await session.finished("narrow")).toMatchObject({ state: "succeeded" });
      expect(submissionsOf(harness)).toHaveLength(2);
      expect(submissionsOf(harness)).toContain("pilot-1");
    });
  });

  test.each(["scancel", "kill -9"])(
    "a pilot ended by %s loses only what it was doing",

    async (how) => {
      await onStage({}, async ({ harness, session }) => {
        await session.submit(slow(harness, "one"), slow(harness, "two"), quick(harness, "waits", 8));
        await session.started("one");
        await session.started("two");
        if (how === "scancel") execFileSync("scancel", [idOf(harness, "pilot-1")]);
        else for (const pid of pilotPids(harness)) process.kill(pid, "SIGKILL");
        for (const attempt of ["one", "two"]) {
          const { failure } = await session.finished(attempt);
          expect(["interrupted", "lost"]).toContain(failure?.class);
        }
        expect(await session.finished("waits")).toMatchObject({ state: "succeeded" });
        expect(submissionsOf(harness)).toEqual(["pilot-1", "pilot-2"]);
        expect(ledger(harness)).toEqual(["one", "two", "waits"]);
      });
    },
  );

  test("a pilot that is preempted costs its tasks nothing", async () => {
    const partitions = [{ name: "spare", cpusPerNode: 8, memoryPerNode: 8000 * 2 ** 20 }];
    await onStage({ partitions }, async ({ harness, session }) => {
      await session.submit(slow(harness, "one", 8), quick(harness, "waits"));
      await session.started("one");
      const urgent = ["--partition=urgent", "--exclusive", "--time=1", "--output=/dev/null", "--wrap=sleep 3"];
      execFileSync("sbatch", urgent, { cwd: cluster.folder });
      expect(await session.finished("one")).toMatchObject({ failure: { class: "preempted" } });
      expect(await session.finished("waits")).toMatchObject({ state: "succeeded" });
    });
  });

  test("a pilot that dies while the engine is away is found out", async () => {
    await onStage({}, async ({ harness, session, reopen }) => {
      await session.submit(slow(harness, "one", 8), quick(harness, "waits"));
      await session.started("one");
      await session.crash(harness);
      for (const pid of pilotPids(harness)) process.kill(pid, "SIGKILL");
      const resumed = await reopen();
      expect(Object.fromEntries(await resumed.adopt("one", "waits"))).toEqual({ one: "running", waits: "running" });
      expect(await resumed.finished("one")).toMatchObject({ failure: { class: "lost" } });
      expect(await resumed.finished("waits")).toMatchObject({ state: "succeeded" });
    });
  });

  test.each([
    ["cancelled", []],
    ["told to end", ["--full", "--signal=TERM"]],
  ])("what has just succeeded in a pilot that is %s is no success", async (_how, options) => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(slow(harness, "one"), quick(harness, "done"));
      await session.started("one");
      expect(await session.finished("done")).toMatchObject({ state: "succeeded" });
      execFileSync("scancel", [...options, idOf(harness, "pilot-1")]);
      expect(await session.settled("done")).toMatchObject({ state: "failed" });
    });
  });

  test("what has just succeeded in a pilot that is ended while the engine is away is no success", async () => {
    await onStage({}, async ({ harness, session, reopen }) => {
      await session.submit(slow(harness, "one"), quick(harness, "done"));
      await session.started("one");
      expect(await session.finished("done")).toMatchObject({ state: "succeeded" });
      await session.crash(harness);
      execFileSync("scancel", [idOf(harness, "pilot-1")]);
      const resumed = await reopen();
      expect(Object.fromEntries(await resumed.adopt("done"))).toEqual({ done: "finished" });
      expect(await resumed.settled("done")).toMatchObject({ state: "failed" });
    });
  });

  test("pilots that cannot start are given up, and say why", async () => {
    await onStage({ setup: ["exit 3"] }, async ({ harness, session }) => {
      await session.submit(quick(harness, "a"));
      const { failure } = await session.finished("a");
      expect(failure).toMatchObject({ class: "not-started" });
      expect(failure?.message).toContain("pilots end before they have done anything");
    });
  });

  test("two pilots work off the trials of a search", async () => {
    const storage = mkdtempSync(join(cluster.folder, "pilots-"));
    const pilots = "{ jobs: 2, cpus: 8, memory: 1GB, time: 10m, idle: 5m }";
    const slurm = `{ partitions: [{ name: main, cpusPerNode: 8 }], batchWindow: 0.05s, poll: { every: 1s, atMost: 5s }, pilots: ${pilots} }`;
    const site = `sites:\n  cluster:\n    backend: slurm\n    storage: ${storage}\n    python: /usr/bin/python3\n    slurm: ${slurm}\n`;
    const project = makeProject({ "flow.ts": searchWith(join(storage, "begun")), "sites.yaml": site });
    const env = { SLURM_CONF: cluster.slurmConf };
    const outcome = await project.wf(["run", "flow.ts", "--json", "--site", "cluster"], { env });
    expect(finishOf(outcome)?.status, outcome.stdout + outcome.stderr).toBe("succeeded");
    const records = outcome.events.filter(({ type }) => type === "attempt.finished").map(({ record }) => record);
    const trials = records.filter(({ metrics }) => metrics.length > 0);
    expect(trials).toHaveLength(12);
    expect(new Set(trials.map(({ host }) => host)).size).toBe(2);
    const run = finishOf(outcome)?.run as string;
    expect(readdirSync(join(storage, "runs", run, "submissions")).sort()).toEqual(["pilot-1", "pilot-2"]);
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/**
 * Every trial asks for six cpus, so that two pilots with eight each are needed for two at once; the first one waits until
 * a second one has begun.
 */
const searchWith = (ledger: string) => `
import { random, search, task, uniform, workflow, z } from "wf";
const trial = task({
  name: "trial",
  params: z.object({ x: z.number() }),
  metrics: ["score"],
  resources: { cpus: 6 },
  command: ({ params }) => ["sh", "-c", 'echo begun >> "$2"; until [ $(wc -l < "$2") -ge 2 ]; do sleep 0.1; done; echo "{\\\\"score\\\\": $1}" >> "$WF_METRICS"', "sh", params.x, ${JSON.stringify(ledger)}],
});
export default workflow({
  name: "flow",
  build: () => {
    const found = search({ x: uniform(0, 1) }, ({ params }) => trial({}, params), {
      trials: 12,
      window: 4,
      maximise: "score",
      sampler: random({ seed: 4 }),
    });
    return { study: found.study };
  },
});
`;
