import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

/** Debian's Python has no pip for new environments unless a package of its own is there. Returns what is skipped without it. */
export async function ensureVenv() {
  if (hasVenv()) return;
  const log = openLog(join(root, ".setup/python-venv.log"), root);
  await installDebianPackages(["python3-venv"], log.run);
  log.close();
  if (!hasVenv())
    return "tests that build Python environments: python3 has no ensurepip. Type: sudo apt-get install python3-venv";
}

function hasVenv() {
  return spawnSync("python3", ["-c", "import ensurepip"]).status === 0;
}
