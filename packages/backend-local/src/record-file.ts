import { lstat, readFile } from "node:fs/promises";
import { believedRecord } from "@wf/backend";
import { localRunFolder, type TaskRecord, WfError } from "@wf/protocol";

/** The record of an attempt as the launcher left it on the storage; null if there is none that is whole. */
export async function readRecord(storage: string, run: string, attempt: string): Promise<TaskRecord | null> {
  const path = localRunFolder(storage, run).record(attempt);
  let text: string;
  try {
    // A task could put anything there: a pipe would be waited for, and a link may lead to what never ends.
    if (!(await lstat(path)).isFile()) return null;
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw damaged(path, error);
  }
  const document = whole(text);
  if (document === undefined) return null;
  return believedRecord({ run, job: "", task: null, attempt }, { document }, Date.now() / 1000);
}

/** What a power cut left of a record is as if it were not there. */
function whole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(path: string, cause: unknown): WfError {
  return new WfError("WF_LAUNCHER", "A record cannot be read.", {
    where: path,
    hint: "Remove the file to have the task run again.",
    cause,
  });
}
