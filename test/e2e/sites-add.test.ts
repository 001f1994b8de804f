/** `wf sites add` where there is no SLURM to be found, over a real sshd. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSsh, startServer, temporaryFolder } from "./ssh/ssh-site.ts";
import { expectError, makeProject } from "./wf-project.ts";

const SBATCH = "/usr/bin/sbatch";
const canHide = spawnSync("unshare", ["-m", "true"]).status === 0;
if (existsSync(SBATCH) && !canHide)
  console.warn("SKIPPED: sites without SLURM: only root may hide the SLURM of this machine");

/** An sshd whose sessions do not see the SLURM of this machine, should it have one. */
function sshdWithoutSlurm(folder: string): string {
  if (!existsSync(SBATCH)) return "/usr/sbin/sshd";
  const nothing = join(folder, "nothing");
  writeFileSync(nothing, "");
  const program = join(folder, "sshd");
  const hide = `mount --bind ${nothing} ${SBATCH} && exec /usr/sbin/sshd "$@"`;
  writeFileSync(program, `#!/bin/sh\nexec unshare -m /bin/sh -c '${hide}' sshd "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

describeWithSsh("a machine without SLURM", () => {
  describe.skipIf(existsSync(SBATCH) && !canHide)("is not added", () => {
    it.each([
      ["with another scheduler", "bsub", /cluster of LSF, which wf does not support yet/, /SLURM or HTCondor/],
      ["with no scheduler at all", undefined, /no scheduler here: neither sbatch nor condor_submit is/, /login node/],
    ])("%s", async (_, scheduler, says, next) => {
      const folder = temporaryFolder();
      chmodSync(folder, 0o755);
      if (scheduler !== undefined) execFileSync("ln", ["-s", "/bin/true", join(folder, scheduler)]);
      const server = await startServer({
        program: sshdWithoutSlurm(folder),
        config: [`SetEnv PATH=${folder}:/usr/bin:/bin HOME=${folder}`],
      });
      const project = makeProject({ "package.json": "{}" });
      const added = await project.wf(["sites", "add", "c", "site", "--ssh-config", server.clientConfig(), "--json"]);
      expectError(added, "WF_SITE_SCHEDULER", { says, next });
      expect(existsSync(project.path("sites.yaml"))).toBe(false);
    });
  });

  it.each([
    ["a name that no site can have", ["sites", "add", "1st", "site"], /"1st" cannot be the name/],
    ["the name of this machine", ["sites", "add", "local", "site"], /"local" cannot be the name/],
    ["no name", ["sites", "add"], /name for the new site is missing/],
  ])("nor is anything under %s", async (_, args, says) => {
    const project = makeProject({ "package.json": "{}" });
    expectError(await project.wf([...args, "--json"]), "WF_USAGE", { says, next: /wf sites add cluster/ });
  });
});
