import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

/** Tests compare what the launcher measures with GNU time. Returns what is skipped without it. */
export async function ensureGnuTime() {
  if (existsSync("/usr/bin/time")) return;
  const log = openLog(join(root, ".setup/gnu-time.log"), root);
  const isInstalled = await installDebianPackages(["time"], log.run);
  log.close();
  if (!isInstalled)
    return "tests that compare figures with GNU time: /usr/bin/time is missing. Type: sudo apt-get install time";
}
