/** The storage of a site is full: the run says what is full and by how much, and goes on when there is room again. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, describe, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { expectError, finishOf, makeProject, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;
const SIZE = "6.29 MB";

const waitingFor = (gate: string) => `
import { file, task, workflow } from "wf";

const gate = task({
  name: "gate",
  outputs: { text: file("txt") },
  command: ({ outputs }) => ["sh", "-c", 'until [ -e "$1" ]; do sleep 0.1; done; echo open > "$2"', "sh", ${JSON.stringify(gate)}, outputs.text],
});
const copy = task({
  name: "copy",
  inputs: { text: file("txt") },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});

export default workflow({ name: "full", build: () => ({ text: copy({ text: gate({}).text }).text }) });
`;

describe.skipIf(found === null)("a storage that is full", { concurrent: true }, () => {
  if (found === null) return;
  const root = openFolder(cluster.folder, "full-");
  const env = { SLURM_CONF: cluster.slurmConf };
  const disks: string[] = [];
  afterAll(() => {
    for (const disk of disks) execFileSync("umount", ["-l", disk]);
    rmSync(root, { recursive: true, force: true });
  });

  function onSmallDisk(): { readonly project: Project; readonly disk: string; readonly gate: string } {
    const folder = openFolder(root, "case-");
    const [disk, gate] = [join(folder, "disk"), join(folder, "gate")];
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m,mode=777", "tmpfs", disk]);
    disks.push(disk);
    const site = `backend: slurm
    storage: ${disk}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } }`;
    const sites = `sites:
  laptop:
    ${site}
    host: slurm
    sshConfig: ${cluster.sshConfig}
  login:
    ${site}
`;
    return { project: makeProject({ "sites.yaml": sites, "full.ts": waitingFor(gate) }), disk, gate };
  }

  /** To the last byte. */
  function fill(disk: string): string {
    const path = join(disk, "filler");
    const file = openSync(path, "w");
    try {
      for (;;) writeSync(file, Buffer.alloc(4096, 1));
    } catch {
      closeSync(file);
    }
    return path;
  }

  it.for(["laptop", "login"])("before the run: it says so, and can be resumed (%s)", async (site, { expect }) => {
    const { project, disk, gate } = onSmallDisk();
    writeFileSync(gate, "");
    const filler = fill(disk);
    const full = await project.wf(["run", "full.ts", "--site", site, "--json"], { env });
    expectError(full, "WF_DISK_FULL", {
      says: new RegExp(`full.* of ${SIZE} are free`),
      where: /disk/,
      next: /wf resume/,
    });
    rmSync(filler);
    expect(finishOf(await project.wf(["resume", "--json"], { env }))).toMatchObject({ status: "succeeded" });
  });

  it.for(["laptop", "login"])("while a task runs: it says so, and can be resumed (%s)", async (site, { expect }) => {
    const { project, disk, gate } = onSmallDisk();
    const started = project.start(["run", "full.ts", "--site", site, "--json"], { env });
    await until("a task that runs", () => project.ask("SELECT 1 FROM attempt WHERE started IS NOT NULL"));
    const filler = fill(disk);
    writeFileSync(gate, "");
    const full = await started.ended;
    expectError(full, "WF_DISK_FULL", {
      says: new RegExp(`full.*${disk}.*: 0 B of ${SIZE} are free`),
      next: new RegExp(`wf gc --site ${site}.*wf resume`),
    });
    expect(full.stderr).not.toContain("Traceback");
    rmSync(filler);
    expect(finishOf(await project.wf(["resume", "--json"], { env }))).toMatchObject({ status: "succeeded" });
  });

  it("for what a task writes: it fails with class disk-full, and can be resumed", async ({ expect }) => {
    const { project, disk, gate } = onSmallDisk();
    const writing = waitingFor(gate).replace(
      '["cp", inputs.text, outputs.text]',
      '["sh", "-c", \'head -c 2000000 /dev/zero > "$1"\', "sh", outputs.text]',
    );
    project.write("full.ts", writing);
    const filler = join(disk, "filler");
    writeFileSync(gate, "");
    writeFileSync(filler, Buffer.alloc(2_500_000, 1));
    const full = await project.wf(["run", "full.ts", "--site", "laptop", "--json"], { env });
    const ended = full.events.find(({ type, task }) => type === "task.ended" && task === "copy");
    expect(ended?.cause, full.stderr).toMatchObject({
      class: "disk-full",
      message: expect.stringMatching(new RegExp(`${disk}.* of ${SIZE} are free`)),
    });
    rmSync(filler);
    expect(finishOf(await project.wf(["resume", "--json"], { env }))).toMatchObject({ status: "succeeded" });
  });
});
