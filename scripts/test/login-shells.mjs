import { join } from "node:path";
import { root } from "../package-script.mjs";
import { hasProgram, installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

/** Debian's packages of them have the same names. */
const SHELLS = ["bash", "dash", "zsh", "ksh", "tcsh", "fish"];

/** Tests try what is sent to a login shell in every shell that people log in with. Returns what is skipped. */
export async function ensureLoginShells() {
  if (missing().length === 0) return;
  const log = openLog(join(root, ".setup/login-shells.log"), root);
  const isInstalled = await installDebianPackages(missing(), log.run);
  // One that a release does not have must not keep the others away.
  if (!isInstalled) for (const shell of missing()) await installDebianPackages([shell], log.run);
  log.close();
  const left = missing();
  if (left.length > 0)
    return `tests in these login shells, which are missing: ${left.join(", ")}. Type: sudo apt-get install ${left.join(" ")}`;
}

function missing() {
  return SHELLS.filter((shell) => !hasProgram(shell));
}
