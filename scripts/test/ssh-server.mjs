import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

const SERVER = "/usr/sbin/sshd";
/** Asked by packages whether their services may start. */
const POLICY = "/usr/sbin/policy-rc.d";
const SYSTEMD = "/run/systemd/system";

/**
 * Tests and benchmarks start an ssh server of their own; where the program cannot be had, they are skipped. With systemd
 * the package would also open the machine to the network at its next start: that is left to its owner.
 */
export async function ensureSshServer() {
  if (existsSync(SERVER)) return;
  const log = openLog(join(root, ".setup/ssh-server.log"), root);
  const install = () => installDebianPackages(["openssh-server", "openssh-client"], log.run);
  const isInstalled = !existsSync(SYSTEMD) && (await withoutServices(install));
  log.close();
  if (!isInstalled)
    console.log("sshd is missing, so tests that need it are skipped. Type: sudo apt-get install openssh-server");
}

async function withoutServices(install) {
  const isMine = process.getuid?.() === 0 && !existsSync(POLICY);
  if (isMine) writeFileSync(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    return await install();
  } finally {
    if (isMine) rmSync(POLICY, { force: true });
  }
}
