/** Tasks of several processes on two nodes: started by srun, measured each, and the same numbers as on one machine. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BackendHarness, ContractSession, shellJob } from "@wf/backend/contract";
import { SlurmSettings } from "@wf/site";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { endsOf } from "../e2e/sliced-training.ts";
import { finishOf, makeProject, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";
import { COUNT_TOGETHER, COUNTING_FLOW } from "./sliced-ranks.ts";
import { newHarness } from "./slurm-harness.ts";

const cluster = found as SlurmCluster;
const LUNG_DDP = fileURLToPath(new URL("../../workflows/lung-ddp.ts", import.meta.url));
const TINY = ["patients=8", "size=32", "epochs=3", "batch=4"].flatMap((param) => ["--param", param]);
const SETTINGS = SlurmSettings.parse({
  partitions: [{ name: "main", maxNodes: 2 }],
  batchWindow: 0.05,
  poll: { every: 1, atMost: 5 },
  budget: { commands: 1000 },
});

describe.skipIf(found === null)("distributed tasks on a real cluster", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  async function onStage(act: (harness: BackendHarness, session: ContractSession) => Promise<void>): Promise<void> {
    const harness = newHarness(cluster, transport, SETTINGS);
    const session = new ContractSession(harness.create());
    try {
      await session.open();
      await act(harness, session);
    } finally {
      await session.clear();
      await harness.dispose();
    }
  }

  /** Two ranks on each of two nodes. */
  const ranked = (harness: BackendHarness, attempt: string, script: string, more: object = {}) => ({
    ...shellJob(harness, attempt, script, { ranks: { nodes: 2, perNode: 2, launch: null }, cpus: 4, ...more }),
    cpus: 4,
  });
  const logOf = (harness: BackendHarness, attempt: string, ...path: string[]) =>
    readFileSync(join(harness.storage, "runs", harness.run, "attempts", attempt, ...path), "utf8");

  test("ranks lie on both nodes, know their world, and are summed in the record", async () => {
    await onStage(async (harness, session) => {
      const script = 'echo "$WF_RANK of $WF_WORLD_SIZE, $WF_LOCAL_RANK here"; env | grep -c SLURM || true';
      await session.submit(ranked(harness, "world@1", script));
      const { failure, ranks = [], usage } = await session.finished("world@1");
      expect(failure).toBeNull();
      expect(ranks.map(({ rank, localRank }) => [rank, localRank])).toEqual([
        [0, 0],
        [1, 1],
        [2, 0],
        [3, 1],
      ]);
      expect(ranks[0]?.host).toBe(ranks[1]?.host);
      expect(ranks[2]?.host).toBe(ranks[3]?.host);
      expect(ranks[0]?.host).not.toBe(ranks[2]?.host);
      const faults = ranks.map((rank) => rank.usage?.minorFaults ?? Number.NaN);
      expect(usage.minorFaults).toBe(faults.reduce((sum, one) => sum + one, 0));
      expect(logOf(harness, "world@1", "stdout")).toBe("0 of 4, 0 here\n0\n");
      expect(logOf(harness, "world@1", "ranks", "3.stdout")).toBe("3 of 4, 1 here\n0\n");
    });
  });

  test("a rank that fails ends those of the other node, and is named with its words", async () => {
    await onStage(async (harness, session) => {
      const script = 'test $WF_RANK = 2 && { sleep 1; echo "no data" >&2; exit 3; }; exec sleep 100';
      await session.submit(ranked(harness, "fails@1", script));
      const { failure, ranks = [], exitCode } = await session.finished("fails@1");
      expect(failure).toMatchObject({
        class: "exit",
        rank: 2,
        message: expect.stringMatching(/^rank 2 of 4 on \w+: /),
      });
      expect(exitCode).toBe(3);
      expect(ranks[0]?.signal).toBe("SIGTERM");
      expect(logOf(harness, "fails@1", "ranks", "2.stderr")).toBe("no data\n");
    });
  });

  test("ranks are warned, ended at their limit and killed after their grace wherever they are", async () => {
    await onStage(async (harness, session) => {
      const script = "trap 'echo warned' USR2; trap 'echo told' TERM; while :; do sleep 0.1; done";
      const times = { timeLimitSeconds: 4, warnSeconds: 2, graceSeconds: 1 };
      await session.submit(ranked(harness, "deaf@1", script, times));
      const { failure, ranks = [] } = await session.finished("deaf@1");
      expect(failure?.class).toBe("time-limit");
      expect(ranks.map(({ signal }) => signal)).toEqual(["SIGKILL", "SIGKILL", "SIGKILL", "SIGKILL"]);
      expect(logOf(harness, "deaf@1", "ranks", "3.stdout")).toBe("warned\ntold\n");
    });
  });

  test("a cancelled task leaves no rank behind", async () => {
    await onStage(async (harness, session) => {
      const pid = (rank: number) => join(harness.scratch, `pid-${rank}`);
      await session.submit(ranked(harness, "cancelled@1", `echo $$ > ${harness.scratch}/pid-$WF_RANK; exec sleep 100`));
      const read = (rank: number) => {
        try {
          return readFileSync(pid(rank), "utf8").trim();
        } catch {
          return "";
        }
      };
      await until("all ranks", () => [0, 1, 2, 3].every((rank) => read(rank) !== ""));
      await session.cancel("cancelled@1");
      expect((await session.finished("cancelled@1")).failure?.class).toBe("cancelled");
      for (const rank of [0, 1, 2, 3]) expect(() => process.kill(Number(read(rank)), 0)).toThrow(/ESRCH/);
    });
  });
});

describe.skipIf(found === null)("a distributed task that takes longer than it may", () => {
  const GOAL = 60;

  test("goes on in slices: every rank where it was, on both nodes, and no retry is used up", async () => {
    process.umask(0);
    const folder = mkdtempSync(join(cluster.folder, "sliced-ranks-"));
    chmodSync(folder, 0o777);
    const ledger = join(folder, "ledger");
    const slurm = "{ partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } }";
    const project = makeProject({
      "flow.ts": COUNTING_FLOW,
      "count.py": COUNT_TOGETHER,
      "sites.yaml": `sites:\n  cluster:\n    { backend: slurm, storage: ${folder}/wf, python: /usr/bin/python3, slurm: ${slurm} }\n`,
    });
    const args = ["run", "flow.ts", "--json", "--site", "cluster", "-p", `goal=${GOAL}`, "-p", `ledger=${ledger}`];
    const outcome = await project.wf(args, { env: { SLURM_CONF: cluster.slurmConf } });
    expect(finishOf(outcome)?.status, outcome.stdout + outcome.stderr).toBe("succeeded");
    const ends = endsOf(outcome);
    expect(ends.length).toBeGreaterThan(1);
    expect(ends).toEqual([...ends.slice(1).map(() => "slice-ended"), "done"]);
    expect(outcome.events.filter(({ type }) => type === "task.retry")).toEqual([]);

    const begun = readFileSync(ledger, "utf8").trim().split("\n");
    expect(begun).toHaveLength(4 * ends.length);
    for (const rank of [0, 1, 2, 3]) {
      const ofRank = begun.filter((line) => line.split(" ")[1] === `${rank}`);
      const beginnings = ofRank.map((line) => Number(/at (\d+)$/.exec(line)?.[1]));
      expect(beginnings[0]).toBe(0);
      expect(beginnings).toEqual([...new Set(beginnings)].toSorted((a, b) => a - b));
      expect(project.read(".wf", "runs", finishOf(outcome)?.run, "outputs", "counts", `${rank}`)).toBe(`${GOAL}`);
    }
    expect(project.ask("SELECT count(*) FROM rank")).toBe(4 * ends.length);
    const hosts = "SELECT min(n) FROM (SELECT count(DISTINCT host) AS n FROM rank GROUP BY attempt)";
    expect(project.ask(hosts)).toBe(2);
  });
});

describe.skipIf(found === null)("training on two nodes with the real program", () => {
  if (found === null) return;
  const root = mkdtempSync(join(cluster.folder, "ddp-"));
  chmodSync(root, 0o777);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const curve = (project: Project) =>
    project.ask(
      "SELECT group_concat(name || ' ' || step || ' ' || value, '\n') FROM (SELECT * FROM metric WHERE task = 'train' ORDER BY line, name)",
    );

  test("the loss is that of two processes of one machine, digit by digit", async () => {
    process.umask(0);
    const project = () =>
      makeProject({
        "ddp.ts": `export { default } from ${JSON.stringify(LUNG_DDP)};`,
        "sites.yaml": `sites:
  cluster:
    backend: slurm
    host: slurm
    sshConfig: ${cluster.sshConfig}
    storage: ${root}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 2, atMost: 5 } }
`,
      });
    const [here, there] = [project(), project()];
    const local = await here.wf(["run", "ddp.ts", "--json", ...TINY, "--param", "processes=2"]);
    expect(finishOf(local), local.stderr).toMatchObject({ status: "succeeded" });
    const remote = await there.wf(["run", "ddp.ts", "--json", "--site", "cluster", ...TINY, "--param", "nodes=2"]);
    expect(finishOf(remote), remote.stderr).toMatchObject({ status: "succeeded" });
    expect(there.ask("SELECT count(DISTINCT host) FROM rank WHERE task = 'train'")).toBe(2);
    expect(String(curve(here))).toContain("val_loss 3.0 ");
    expect(curve(there)).toBe(curve(here));
    const modelOf = (project: Project) =>
      project.ask("SELECT hash FROM output WHERE task = 'train' AND output = 'model'");
    expect(modelOf(there)).toBe(modelOf(here));
  });
});
