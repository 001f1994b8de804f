import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

/** Tests compare what the launcher measures with GNU time; where it cannot be had, they are skipped. */
export async function ensureGnuTime() {
  if (existsSync("/usr/bin/time")) return;
  const log = openLog(join(root, ".setup/gnu-time.log"), root);
  const isInstalled = await installDebianPackages(["time"], log.run);
  log.close();
  if (!isInstalled)
    console.log("GNU time is missing, so tests that need it are skipped. Type: sudo apt-get install time");
}
