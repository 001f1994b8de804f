import { dirname } from "node:path";
import { WfError } from "@wf/protocol";

const REASONS: { readonly [errno: string]: string } = {
  ENOENT: "it does not exist",
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  ENOTDIR: "a part of its path is a file",
  ELOOP: "its symbolic links run in a circle",
  EIO: "the disk reports an error",
  ENAMETOOLONG: "its path is too long",
};

/** One of the user's files or folders cannot be read: why, and what to type. */
export function unreadable(path: string, errno: string, message: string): WfError {
  const reason = REASONS[errno] ?? message;
  return new WfError("WF_INPUT_UNREADABLE", `Cannot read ${JSON.stringify(path)}: ${reason}`, {
    where: path,
    hint: hintFor(path, errno),
  });
}

export function unreadableError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof WfError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  return unreadable(path, code, message);
}

function hintFor(path: string, errno: string): string {
  switch (errno) {
    case "ENOENT":
    case "ENOTDIR":
      return `Check the path: ls -l ${shellWord(dirname(path))}`;
    case "EACCES":
    case "EPERM":
      return `Look at its permissions with ls -ld ${shellWord(path)}; give yourself the right with chmod u+rX ${shellWord(path)}`;
    default:
      return `Look at it: ls -ld ${shellWord(path)}`;
  }
}

/** For people to paste; nothing here runs a shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
