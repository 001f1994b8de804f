import { chmodSync, existsSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseSites } from "@wf/site";
import { beforeAll, describe, expect, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { privateFolder } from "../clusters/private-folder.ts";
import { type JsonEvent, makeProject, type Outcome } from "../e2e/wf-project.ts";
import { found } from "./own-pool.ts";

const ENVIRONMENT_EXIT = 4;

describe.skipIf(found === null)("a site for a real pool", () => {
  const pool = found as CondorPool;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(pool.folder, "site-file-"));
    chmodSync(folder, 0o777);
  });

  test("that is added over ssh can be read, and is found well", async () => {
    const project = makeProject({ "package.json": "{}" });
    const added = await project.wf(["sites", "add", "pool", "condor", "--ssh-config", pool.sshConfig]);
    expect(added, added.stderr).toMatchObject({ exitCode: 0 });
    expect(added.stdout).toMatch(/^htcondor +23\.9\S*, 1 machine$/m);
    expect(parseSites(project.read("sites.yaml"), "sites.yaml").get("pool")).toMatchObject({
      backend: "htcondor",
      host: "condor",
      placement: "shared",
      htcondor: { largest: { cpus: 8, memory: 16 * 2 ** 30, gpus: 2 }, limits: { jobs: 1000, perSubmission: 1000 } },
    });
    // The home of the pool's user outlives a pool, and what is in it may be as an older wf left it.
    const storage = parseSites(project.read("sites.yaml"), "sites.yaml").get("pool")?.storage as string;
    if (existsSync(storage)) chmodSync(storage, 0o700);
    const looked = await project.wf(["doctor", "--site", "pool", "--job", "--json"]);
    expect(unwell(looked)).toEqual([]);
    expect(looked.events.find(({ name }) => name === "job")?.says).toMatch(/^ran on \S+, and its record was here/);
    expect(looked.exitCode).toBe(0);
  });

  test("is surveyed on the submit host itself, too", async () => {
    const project = makeProject({ "package.json": "{}" });
    const env = { PATH: `${pool.commands}:${process.env.PATH}`, SLURM_CONF: "/dev/null" };
    const added = await project.wf(["sites", "add", "here", "--json"], { env });
    expect(added.events, added.stderr).toMatchObject([
      { type: "site.added", site: { backend: "htcondor" }, found: { htcondor: { machines: 1, sharingMachines: 1 } } },
    ]);
  });

  test("that has much wrong with it: each is named, with what to do", async () => {
    const looked = await doctor({
      htcondor: {
        largest: { cpus: 64 },
        limits: { perSubmission: 50_000, jobs: 50_000 },
        setup: ["no-such-command load python"],
      },
    });
    expectCheck(looked, "machines", "fail", /less than sites\.yaml says/, /htcondor\.largest .*cpus: 8/);
    expectCheck(looked, "limits", "fail", /50000 jobs would be refused: the pool takes 20000/, /perSubmission/);
    expectCheck(looked, "setup", "fail", /`no-such-command load python` ends with 127/, /htcondor\.setup/);
    expect(unwell(looked)).toHaveLength(3);
    expect(looked.exitCode).toBe(ENVIRONMENT_EXIT);
  });

  test.each([
    ["TARGET.Memory > 1", []],
    ["Memory > 1e9", [/0 of 1 machines fulfil the requirements/]],
    ["Memory > (", [/requirements cannot be read/]],
  ])("whose machines have to fulfil %s", async (requirements, wrong) => {
    const looked = await doctor({ htcondor: { requirements } });
    expect(unwell(looked).map(({ says }) => says)).toEqual(wrong.map((says) => expect.stringMatching(says)));
  });

  test("whose machines do not see the storage: a small job tells, and leaves nothing behind", async () => {
    const storage = privateFolder(pool.hidden, "storage-", pool.user);
    const looked = await doctor({ storage }, "--job");
    expectCheck(looked, "job", "fail", /a small job failed/, /what differs on the machines/);
    expect(unwell(looked)).toHaveLength(1);
    expect(readdirSync(join(storage, "runs"))).toEqual([]);
    const sent = { storage, placement: "transfer" };
    expect(unwell(await doctor(sent, "--job"))).toEqual([]);
    const setup = ['test -z "$_CONDOR_SCRATCH_DIR" || exit 3'];
    const differing = await doctor({ ...sent, htcondor: { setup } }, "--job");
    expectCheck(differing, "job", "fail", /a small job failed \(lost\): .*exit code 3/, /what differs on the machines/);
  });

  test("whose HTCondor is not on the PATH", async () => {
    const looked = await doctor({ prelude: "PATH=/usr/bin:/bin" });
    expectCheck(looked, "htcondor", "fail", /not on the PATH there: condor_submit, condor_q/, /submit host/);
    expect(unwell(looked)).toHaveLength(1);
  });

  test("whose HTCondor is silent", async () => {
    const bin = mkdtempSync(join(folder, "bin-"));
    chmodSync(bin, 0o755);
    const programs = join(pool.folder, "root/usr/bin");
    for (const name of readdirSync(programs).filter((program) => program.startsWith("condor_"))) {
      symlinkSync(join(programs, name), join(bin, name));
    }
    const looked = await doctor({ prelude: `PATH=${bin}:$PATH; export CONDOR_CONFIG=/dev/null` });
    expectCheck(looked, "htcondor", "fail", /does not answer: ./, /try again later/);
    expect(unwell(looked)).toHaveLength(1);
  });

  /** Looks at a site that is well but for these settings. */
  async function doctor(settings: object, ...more: readonly string[]): Promise<Outcome> {
    const storage = privateFolder(folder, "storage-", pool.user);
    const site = { backend: "htcondor", host: "condor", sshConfig: pool.sshConfig, storage, ...settings };
    const project = makeProject({ "sites.yaml": JSON.stringify({ sites: { pool: site } }) });
    return await project.wf(["doctor", "--site", "pool", "--json", ...more]);
  }
});

function unwell({ events }: Outcome): readonly JsonEvent[] {
  return events.filter((event) => event.type === "doctor.check" && event.health !== "ok");
}

function expectCheck(looked: Outcome, name: string, health: "warn" | "fail", says: RegExp, next: RegExp): void {
  expect(unwell(looked), looked.stderr).toContainEqual({
    type: "doctor.check",
    name,
    health,
    says: expect.stringMatching(says),
    next: expect.stringMatching(next),
  });
}
