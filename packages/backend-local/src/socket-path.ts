import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { WfError } from "@wf/protocol";

/** The path of a unix socket is limited to about a hundred bytes. */
const MOST_BYTES = 100;

interface SocketFolders {
  /** Short, and where anybody can take the name before, to be in the way. */
  readonly usual: string;
  /** Where nobody else can. */
  readonly own: string;
}

/**
 * Where a run's launcher listens. Its path has to be short, so it cannot lie in the storage. It depends on nothing but
 * user, storage and run: an engine that was started from another environment (another TMPDIR) must find the same
 * launcher. One that once listens in the user's own folder is looked for there first.
 */
export function launcherSocketPath(storage: string, run: string, { usual, own } = socketFolders()): string {
  const name = `${createHash("sha256").update(`${storage}\0${run}`).digest("hex").slice(0, 24)}.sock`;
  const ownPath = join(own, name);
  if (existsSync(ownPath)) return join(privateFolder(own), name);
  try {
    return join(privateFolder(usual), name);
  } catch (error) {
    if (Buffer.byteLength(ownPath) > MOST_BYTES) throw error;
    return join(instead(own, error), name);
  }
}

/** Somebody who has no home either is told who is in the way. */
function instead(own: string, inTheWay: unknown): string {
  try {
    return privateFolder(own);
  } catch {
    throw inTheWay;
  }
}

function socketFolders(): SocketFolders {
  const { uid, homedir } = userInfo();
  return { usual: `/tmp/wf-${uid}`, own: join(homedir, ".wf-sockets") };
}

/** A folder that only this user can enter: whoever can connect to a launcher can run commands as this user. */
export function privateFolder(folder: string): string {
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
  if (!state.isDirectory() || state.uid !== userInfo().uid || (state.mode & 0o077) !== 0) {
    throw new WfError("WF_LAUNCHER", "The folder for the launcher's socket is not private to this user.", {
      where: folder,
      hint: `Find out who made it (ls -ld ${folder}), then remove it.`,
    });
  }
  return folder;
}
