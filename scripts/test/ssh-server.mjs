import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";
import { withoutServices } from "./without-services.mjs";

const SERVER = "/usr/sbin/sshd";

/** Tests and benchmarks start an ssh server of their own. Returns what is skipped without it. */
export async function ensureSshServer() {
  if (existsSync(SERVER)) return;
  const log = openLog(join(root, ".setup/ssh-server.log"), root);
  const isInstalled = await withoutServices(() => installDebianPackages(["openssh-server", "openssh-client"], log.run));
  log.close();
  if (!isInstalled)
    return "tests that log in over ssh: /usr/sbin/sshd is missing. Type: sudo apt-get install openssh-server";
}
