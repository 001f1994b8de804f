/** What `wf status` says of a run whose owner does not hear of it, or starts nothing more. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import { reviveSlurm, type SlurmCluster } from "../clusters/slurm-cluster.ts";
import { bringBack, daemonOf, endDaemon } from "../clusters/slurm-daemons.ts";
import { makeProject } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

const waitingFor = (gate: string) => `
import { file, task, workflow } from "wf";

const gate = task({
  name: "gate",
  outputs: { text: file("txt") },
  command: ({ outputs }) => ["sh", "-c", 'until [ -e "$1" ]; do sleep 0.1; done; echo > "$2"', "sh", ${JSON.stringify(gate)}, outputs.text],
});

export default workflow({ name: "gated", build: () => ({ text: gate({}).text }) });
`;

describe.skipIf(found === null)("the status of a run on a bad day", () => {
  if (found === null) return;
  process.env.SLURM_CONF = cluster.slurmConf;
  const root = openFolder(cluster.folder, "status-");
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** With all who are logged in. */
  function endLogins(): void {
    const daemon = daemonOf(cluster, "sshd");
    const sessions = execFileSync("ps", ["-o", "pid=", "--ppid", `${daemon}`], { encoding: "utf8" });
    for (const pid of [daemon, ...sessions.trim().split(/\s+/).map(Number)]) process.kill(pid, "SIGKILL");
  }

  it("says that the scheduler is silent, that the connection is lost, and that it is being drained", async () => {
    const gate = join(root, "gate");
    const sites = `sites:
  laptop:
    backend: slurm
    storage: ${join(root, "storage")}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 1, atMost: 2 } }
    host: slurm
    sshConfig: ${cluster.sshConfig}
`;
    const project = makeProject({ "sites.yaml": sites, "gated.ts": waitingFor(gate) });
    const run = project.start(["run", "gated.ts", "--site", "laptop", "--plain"]);
    let told = "";
    const tells = async (words: RegExp) => {
      told = (await project.wf(["status"])).stdout;
      return words.test(told);
    };
    const untilSays = (words: RegExp) => until(`status to say ${words}`, () => tells(words), { lastSeen: () => told });
    const untilQuiet = (words: RegExp) =>
      until(`status not to say ${words}`, async () => !(await tells(words)), { lastSeen: () => told });
    await untilSays(/1 job running/);

    await endDaemon(cluster, "slurmctld", "SIGTERM");
    await untilSays(/trouble +the scheduler has not answered for .*\(.*slurm controller/);
    await reviveSlurm(cluster);
    for (const node of ["c1", "c2", "g1", "g2"]) bringBack(node);
    await untilQuiet(/has not answered/);

    endLogins();
    await untilSays(/trouble +the connection has been lost for .*what runs there goes on/);
    await reviveSlurm(cluster);
    await untilQuiet(/has been lost/);

    await project.wf(["cancel", "--drain"]);
    await untilSays(/stopping +waits for 1 running task and starts nothing more.*wf cancel gated-1/);
    writeFileSync(gate, "");
    expect((await run.ended).stdout).toContain("gate done");
  });
});
