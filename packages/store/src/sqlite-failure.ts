import { WfError } from "@wf/protocol";
import SQLite from "better-sqlite3";

/** What went wrong in words that a person can act on. Errors that are not about SQLite or files pass unchanged. */
export function explainFailure(error: unknown, file: string): unknown {
  if (isUnloadable(error)) {
    const [why] = error.message.split("\n");
    return new WfError("WF_SQLITE_MISSING", `SQLite does not load in Node.js ${process.version}: ${why}`, {
      hint: "In your project, `npm rebuild better-sqlite3`; if npm has not let it run its script, `npm install-scripts approve better-sqlite3` first. In a clone of wf, delete node_modules and start ./wf.",
      cause: error,
    });
  }
  const code = failureCode(error);
  if (code === undefined) return error;
  const message = error instanceof Error ? error.message : String(error);
  const details = { where: file, cause: error };
  if (isDiskFull(code)) {
    return new WfError("WF_DISK_FULL", `The store could not be written: ${message}.`, {
      ...details,
      hint: "Free some space (`wf gc` removes what no run needs), then `wf resume last`, or the same again if no run had begun.",
    });
  }
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB")) {
    return new WfError("WF_STORE_OPEN", `The store is damaged: ${message}.`, {
      ...details,
      hint: `Restore wf.db from a backup, save what is left with \`sqlite3 wf.db .recover\`, or move it away to start anew.`,
    });
  }
  if (code.startsWith("SQLITE_BUSY")) {
    return new WfError("WF_STORE_OPEN", "Another process has kept the store locked for too long.", {
      ...details,
      hint: "See who holds it with `fuser wf.db`, then try again.",
    });
  }
  if (!code.startsWith("SQLITE_") || OPEN_FAILURES.some((prefix) => code.startsWith(prefix))) {
    return new WfError("WF_STORE_OPEN", `The store cannot be opened: ${message}.`, {
      ...details,
      hint: "Check who owns the folder and its rights, or name another one with --store FOLDER.",
    });
  }
  return new WfError("WF_INTERNAL", `The store refused a statement: ${message}.`, details);
}

const OPEN_FAILURES = ["SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH", "SQLITE_IOERR"];

/** SQLite says IOERR_WRITE for a used-up quota, and IOERR_SHMSIZE when its shared memory file cannot grow. */
function isDiskFull(code: string): boolean {
  return ["SQLITE_FULL", "ENOSPC", "EDQUOT", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"].includes(code);
}

/** The native code is nowhere, or was made for another Node. */
function isUnloadable(error: unknown): error is Error {
  return error instanceof Error && ("tries" in error || ("code" in error && error.code === "ERR_DLOPEN_FAILED"));
}

function failureCode(error: unknown): string | undefined {
  if (error instanceof SQLite.SqliteError) return error.code;
  const isSystemError = error instanceof Error && "code" in error && "syscall" in error;
  return isSystemError && typeof error.code === "string" ? error.code : undefined;
}
