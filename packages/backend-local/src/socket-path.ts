import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { WfError } from "@wf/core";

/**
 * Where a run's launcher listens. The path of a unix socket is limited to about a hundred bytes, so it cannot lie in
 * the storage. It depends on nothing but user, storage and run: an engine that was started from another
 * environment (another TMPDIR) must find the same launcher.
 */
export function launcherSocketPath(storage: string, run: string, folder = privateSocketFolder()): string {
  const name = createHash("sha256").update(`${storage}\0${run}`).digest("hex").slice(0, 24);
  return join(folder, `${name}.sock`);
}

/** A folder that only this user can enter: whoever can connect to a launcher can run commands as this user. */
export function privateSocketFolder(root = "/tmp"): string {
  const uid = process.getuid?.() ?? 0;
  const folder = join(root, `wf-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw new WfError("WF_LAUNCHER", "The folder for the launcher's socket cannot be made.", {
        where: folder,
        cause: error,
      });
    }
  }
  const state = lstatSync(folder);
  if (!state.isDirectory() || state.uid !== uid || (state.mode & 0o077) !== 0) {
    throw new WfError("WF_LAUNCHER", "The folder for the launcher's socket is not private to this user.", {
      where: folder,
      hint: `Find out who made it (ls -ld ${folder}), then remove it.`,
    });
  }
  return folder;
}
