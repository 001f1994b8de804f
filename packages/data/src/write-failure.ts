import { WfError } from "@wf/protocol";

/** What went wrong while something was written, as the error that a user can act on. */
export function writeFailure(error: unknown, what: "store" | "results", where: string): unknown {
  if (!(error instanceof Error) || error instanceof WfError) return error;
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOSPC":
      return full("The disk", what, where, error);
    case "EDQUOT":
      return full("Your quota on the disk", what, where, error);
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR":
      return what === "store"
        ? new WfError("WF_STORE_OPEN", `The store cannot be read or written: ${error.message}`, {
            where,
            hint: "Check who owns the folder, or name another one with --store.",
            cause: error,
          })
        : new WfError("WF_USAGE", `The results cannot be written: ${error.message}`, {
            where,
            hint: "Name a folder that you may write to.",
            cause: error,
          });
    default:
      return error;
  }
}

function full(whatIsFull: string, what: string, where: string, cause: Error): WfError {
  return new WfError("WF_DISK_FULL", `${whatIsFull} that holds the ${what} is full`, {
    where,
    hint: "Make room there, or remove what no run needs with `wf gc`; then go on with `wf resume`.",
    cause,
  });
}
