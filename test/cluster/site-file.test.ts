/** A site for a real cluster over its real sshd: added, looked at, and everything that may be wrong with it. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseSites } from "@wf/site";
import { freePort, makeKey, SshServer } from "@wf/transport/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateFolder } from "../clusters/private-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { expectError, type JsonEvent, makeProject, type Outcome, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;
const ENVIRONMENT_EXIT = 4;

describe.skipIf(found === null)("a site for a real cluster", { concurrent: true }, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(cluster.folder, "site-file-"));
    chmodSync(folder, 0o755);
  });

  describe("that is added", () => {
    const add = (project: Project, ...more: string[]) =>
      project.wf(["sites", "add", "cluster", "slurm", "--ssh-config", cluster.sshConfig, ...more]);
    const BEFORE = "# ours\nsites:\n  # this machine\n  local: { resources: { cpus: 2 } } # two\n";

    test("can be read, and is found well, with a job that ran", async () => {
      const project = makeProject({ "sites.yaml": BEFORE });
      const added = await add(project);
      expect(added, added.stderr).toMatchObject({ exitCode: 0 });
      expect(added.stdout).toMatch(/^slurm +22\.05\.8, lab, 4 nodes/m);
      expect(added.stdout).toContain("wf doctor --site cluster");
      const text = project.read("sites.yaml");
      expect(text.startsWith(BEFORE)).toBe(true);
      expect(parseSites(text, "sites.yaml").get("cluster")).toMatchObject({
        backend: "slurm",
        host: "slurm",
        slurm: {
          account: "lab",
          partitions: expect.arrayContaining([
            expect.objectContaining({ name: "short", maxTime: 60 }),
            expect.objectContaining({ name: "solo", maxNodes: 1 }),
          ]),
          limits: { jobs: 1000, arraySize: 1000 },
        },
      });
      const partitions = parseSites(text, "sites.yaml").get("cluster")?.slurm?.partitions ?? [];
      expect(partitions.at(0)).toMatchObject({
        name: "main",
        maxTime: 86_400,
        maxNodes: 4,
        cpusPerNode: 8,
        memoryPerNode: 8000 * 2 ** 20,
        gpusPerNode: 0,
      });
      expect(partitions.slice(-3)).toMatchObject(
        ["gpu", "g1", "g2"].map((name) => ({ name, gpusPerNode: 2, gres: "gpu:a100" })),
      );
      const looked = await project.wf(["doctor", "--site", "cluster", "--job", "--json"]);
      expect(unwell(looked)).toEqual([]);
      expect(checksOf(looked, "job")).toMatchObject([
        { health: "ok", says: expect.stringMatching(/^ran on [cg][12],/) },
      ]);
      expect(looked.exitCode).toBe(0);
    });

    test("is not written with --dry-run, and takes no other's place without --replace", async () => {
      const project = makeProject({ "sites.yaml": BEFORE });
      const dry = await add(project, "--dry-run");
      expect(dry.stdout).toContain("backend: slurm");
      expect(project.read("sites.yaml")).toBe(BEFORE);
      const taken = `${BEFORE}  cluster: { placement: copy }\n`;
      project.write("sites.yaml", taken);
      expectError(await add(project, "--json"), "WF_USAGE", { says: /site cluster already/, next: /--replace/ });
      expect(project.read("sites.yaml")).toBe(taken);
      const replaced = await add(project, "--replace", "--json");
      expect(replaced.events).toMatchObject([{ type: "site.added", name: "cluster", isWritten: true }]);
      expect(project.read("sites.yaml").startsWith(BEFORE)).toBe(true);
      expect(parseSites(project.read("sites.yaml"), "sites.yaml").get("cluster")?.backend).toBe("slurm");
    });

    test("is surveyed on the login node itself, too", async () => {
      const project = makeProject({ "package.json": "{}" });
      const added = await project.wf(["sites", "add", "here", "--json"], { env: { SLURM_CONF: cluster.slurmConf } });
      expect(added.events, added.stderr).toMatchObject([{ type: "site.added", site: { backend: "slurm" } }]);
      expect(added.events[0]?.site.host).toBeUndefined();
    });

    test("learns how to find commands that are on the PATH of logins alone", async () => {
      const home = mkdtempSync(join(folder, "home-"));
      const settings = `PATH=${pathWithout(folder, "sbatch", "squeue")} SLURM_CONF=${cluster.slurmConf} HOME=${home}`;
      const server = await SshServer.start({ config: [`SetEnv ${settings}`] });
      try {
        const project = makeProject({ "package.json": "{}" });
        const sshConfig = server.clientConfig();
        const added = await project.wf(["sites", "add", "hidden", "site", "--ssh-config", sshConfig, "--json"]);
        expect(added.events, added.stderr).toMatchObject([
          { site: { prelude: ". /etc/profile", storage: `${home}/wf` } },
        ]);
        const looked = await project.wf(["doctor", "--site", "hidden", "--json"]);
        expect(unwell(looked)).toEqual([]);
      } finally {
        await server.remove();
      }
    });

    test("is not made up from a SLURM that is silent", async () => {
      const project = makeProject({ "package.json": "{}" });
      const added = await project.wf(["sites", "add", "here", "--json"], { env: { SLURM_CONF: "/dev/null" } });
      expectError(added, "WF_SITE_COMMAND", { says: /does not answer: .*scontrol/i, next: /try again later/ });
      expect(existsSync(project.path("sites.yaml"))).toBe(false);
    });
  });

  describe("whose login does not work", () => {
    const USUAL = () => ({
      HostName: "127.0.0.1",
      Port: `${cluster.sshPort}`,
      User: cluster.user,
      IdentityFile: cluster.privateKey,
      IdentitiesOnly: "yes",
      IdentityAgent: "none",
      UserKnownHostsFile: cluster.knownHosts,
      GlobalKnownHostsFile: "none",
    });
    const doctorThrough = (changes: Readonly<Record<string, string>>) => {
      const config = join(mkdtempSync(join(folder, "ssh-")), "config");
      const lines = Object.entries({ ...USUAL(), ...changes }).map(([name, value]) => `  ${name} ${value}`);
      writeFileSync(config, ["Host slurm", ...lines, ""].join("\n"));
      return doctor({ host: "slurm", sshConfig: config, storage: join(folder, "never") });
    };
    const anotherKey = (name: string) => {
      makeKey(join(folder, name));
      return join(folder, name);
    };
    const knowing = (text: string) => {
      const file = join(mkdtempSync(join(folder, "known-")), "known_hosts");
      writeFileSync(file, text);
      return file;
    };

    test("since its key is a wrong one", async () => {
      await expectLogin(
        doctorThrough({ IdentityFile: anotherKey("wrong") }),
        /does not let you in.*wrong was refused/,
        /ssh -v slurm/,
      );
    });

    test("since the machine is not known", async () => {
      const known = knowing("");
      await expectLogin(
        doctorThrough({ UserKnownHostsFile: known }),
        /not known.*SHA256:/,
        new RegExp(`echo .*127\\.0\\.0\\.1.* >> ${known}`),
      );
      expect(readFileSync(known, "utf8")).toBe("");
    });

    test("since the machine shows another key than before", async () => {
      const [type, key] = readFileSync(`${anotherKey("host")}.pub`, "utf8").split(" ");
      const known = knowing(`[127.0.0.1]:${cluster.sshPort} ${type} ${key}\n`);
      await expectLogin(doctorThrough({ UserKnownHostsFile: known }), /not the known one/, /ssh-keygen -R/);
    });

    test("since nothing listens there", async () => {
      await expectLogin(doctorThrough({ Port: `${await freePort()}` }), /nothing answers on this port/, /Port/);
    });

    test("since no machine has the name", async () => {
      await expectLogin(doctorThrough({ HostName: "no-such-host.invalid" }), /no machine has this name|looked up/, /./);
    });
  });

  describe("that has something wrong", () => {
    test("a storage that is another's", async () => {
      const storage = join(folder, "of-root");
      mkdirSync(storage, { mode: 0o755 });
      const looked = await doctor({ storage: join(storage, "wf") });
      expectCheck(looked, "storage", "fail", /Permission denied/, /sites\.cluster\.storage in sites\.yaml/);
    });

    describe("a storage that is mounted read-only", () => {
      let mounted: string;
      beforeAll(() => {
        mounted = join(folder, "read-only");
        mkdirSync(mounted);
        execFileSync("mount", ["-t", "tmpfs", "-o", "ro,mode=1777", "none", mounted]);
      });
      afterAll(() => void spawnSync("umount", [mounted]));

      test("is named", async () => {
        const looked = await doctor({ storage: mounted });
        expectCheck(looked, "storage", "fail", /Read-only file system/, /storage in sites\.yaml/);
      });
    });

    describe("a storage that is full", () => {
      let mounted: string;
      beforeAll(() => {
        mounted = join(folder, "full");
        mkdirSync(mounted);
        execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k,mode=1777", "none", mounted]);
      });
      afterAll(() => void spawnSync("umount", [mounted]));

      test("is named", async () => {
        const looked = await doctor({ storage: mounted });
        expectCheck(looked, "storage", "fail", /No space left/, /storage in sites\.yaml/);
        expectCheck(looked, "space", "fail", /free \(tmpfs\)/, /make room/);
      });
    });

    test("much at once: each is named, with what to do", async () => {
      const looked = await doctor({
        python: "/opt/none/bin/python3",
        slurm: {
          partitions: [
            { name: "nosuch" },
            { name: "short", maxTime: "1h", cpusPerNode: 64 },
            { name: "gpu", gpusPerNode: 1, gres: "gpu:h100" },
            { name: "solo", constraint: "quantum" },
            { name: "main" },
          ],
          limits: { arraySize: 5000 },
          setup: ["true", "no-such-command load python"],
        },
      });
      const named: readonly (readonly [check: string, says: RegExp, next: RegExp])[] = [
        ["python", /\/opt\/none\/bin\/python3 does not start/, /python in sites\.yaml to \/usr\/bin\/python3 \(3\./],
        ["partition", /no partition nosuch; there are: .*main/, /slurm\.partitions/],
        ["partition", /short has less.*time.*cpus a node/, /maxTime: 1m, cpusPerNode: 8/],
        ["partition", /gpu would refuse jobs: .*(generic resource|node configuration)/i, /sites\.yaml/],
        ["partition", /solo would refuse jobs: .*feature/i, /slurm\.constraint/],
        ["limits", /arrays of 5000 would be refused/, /arraySize in sites\.yaml to 1000/],
        ["setup", /`no-such-command load python` ends with 127: .*not found/, /slurm\.setup/],
        ["launcher", /python/, /./],
      ];
      for (const [check, says, next] of named) expectCheck(looked, check, "fail", says, next);
      expect(unwell(looked)).toHaveLength(named.length);
      expect(looked.exitCode).toBe(ENVIRONMENT_EXIT);
    });

    test("an option that sbatch does not know", async () => {
      const looked = await doctor({ slurm: { directives: ["--no-such-option"] } });
      expectCheck(
        looked,
        "partition",
        "fail",
        /^\(default\) would refuse jobs: unrecognized option/,
        /slurm\.directives/,
      );
    });

    test("a SLURM that is silent", async () => {
      const looked = await doctor({ prelude: "SLURM_CONF=/dev/null; export SLURM_CONF" });
      expectCheck(looked, "slurm", "fail", /does not answer: .*scontrol/, /try again later/);
      expect(unwell(looked)).toHaveLength(1);
      expect(looked.exitCode).toBe(ENVIRONMENT_EXIT);
    });

    test("nodes that differ from the login node: a small job tells, and leaves nothing behind", async () => {
      const storage = privateFolder(folder, "of-jobs-", cluster.user);
      const onNodesAlone = 'test -z "$SLURM_JOB_ID" || exit 3';
      const looked = await doctor({ storage, slurm: { setup: [onNodesAlone] } }, "--job");
      expectCheck(looked, "job", "fail", /a small job failed \(lost\): .*exit code 3/, /what differs on the nodes/);
      expect(unwell(looked)).toHaveLength(1);
      expect(readdirSync(join(storage, "runs"))).toEqual([]);
    });

    test("commands of SLURM that are on the PATH of logins alone", async () => {
      const looked = await doctor({ prelude: `PATH=${pathWithout(folder, "sbatch", "squeue")}` });
      expectCheck(looked, "slurm", "fail", /not on the PATH there: sbatch, squeue/, /prelude .*to "\. \/etc\/profile"/);
    });

    test("no sacct: a warning alone, since runs work without it", async () => {
      const looked = await doctor({ prelude: `PATH=${pathWithout(folder, "sacct")}` });
      expectCheck(looked, "sacct", "warn", /not found/, /work without it/);
      expect(unwell(looked).map(({ name }) => name)).toEqual(["sacct"]);
      expect(looked.exitCode).toBe(0);
    });
  });

  /** Looks at a site that is well but for these settings. */
  async function doctor(settings: object, ...more: readonly string[]): Promise<Outcome> {
    const storage = privateFolder(folder, "storage-", cluster.user);
    const site = { backend: "slurm", host: "slurm", sshConfig: cluster.sshConfig, storage, ...settings };
    const project = makeProject({ "sites.yaml": JSON.stringify({ sites: { cluster: site } }) });
    return await project.wf(["doctor", "--site", "cluster", "--json", ...more]);
  }
});

/** All commands of the machine but some. */
function pathWithout(folder: string, ...missing: readonly string[]): string {
  const bin = mkdtempSync(join(folder, "bin-"));
  chmodSync(bin, 0o755);
  for (const name of readdirSync("/usr/bin")) {
    if (!missing.includes(name)) symlinkSync(join("/usr/bin", name), join(bin, name));
  }
  return bin;
}

function checksOf({ events }: Outcome, name: string): readonly JsonEvent[] {
  return events.filter((event) => event.type === "doctor.check" && event.name === name);
}

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

/** Who cannot log in learns of that, and of nothing else that is there. */
async function expectLogin(looking: Promise<Outcome>, says: RegExp, next: RegExp): Promise<void> {
  const looked = await looking;
  expectCheck(looked, "login", "fail", says, next);
  expect(looked.exitCode).toBe(ENVIRONMENT_EXIT);
  expect(looked.events.at(-2)).toMatchObject({ name: "login" });
  expect(looked.events.at(-1)).toMatchObject({ type: "doctor.finished", ok: false });
}
