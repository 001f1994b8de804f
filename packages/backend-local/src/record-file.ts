import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TaskRecord, WfError } from "@wf/core";

/** The record of an attempt as the launcher left it on the storage; null if there is none. */
export async function readRecord(storage: string, run: string, attempt: string): Promise<TaskRecord | null> {
  const path = join(storage, "runs", run, "records", `${attempt}.json`);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw damaged(path, error);
  }
  try {
    return TaskRecord.parse(JSON.parse(text));
  } catch (error) {
    throw damaged(path, error);
  }
}

function damaged(path: string, cause: unknown): WfError {
  return new WfError("WF_LAUNCHER", "A record cannot be read.", {
    where: path,
    hint: "Remove the file to have the task run again.",
    cause,
  });
}
