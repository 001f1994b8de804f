import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileValue, type JobSpec, localRunFolder, TaskRecord, type TaskSpec } from "@wf/protocol";
import { sampleJob, sampleTask } from "../testing/sample-job.ts";
import type { BackendHarness } from "./harness.ts";

/** A task that runs a line of shell and asks for one cpu. */
export function shellTask(attempt: string, script: string, more: Partial<TaskSpec> = {}): TaskSpec {
  const argv = ["/bin/sh", "-c", script];
  return sampleTask(attempt, { task: `task-of-${attempt}`, argv, graceSeconds: 1, keepSandbox: "never", ...more });
}

export function jobOf({ run, storage }: BackendHarness, tasks: readonly TaskSpec[], cpus = 1): JobSpec {
  return sampleJob(tasks, { run, storage, job: `job-of-${tasks[0]?.attempt}`, cpus });
}

/** A job of one task, written as one line of shell. */
export function shellJob(harness: BackendHarness, attempt: string, script: string, more?: Partial<TaskSpec>): JobSpec {
  return jobOf(harness, [shellTask(attempt, script, more)]);
}

function objectPath(harness: BackendHarness, hash: string): string {
  return join(harness.storage, "objects", hash.slice(0, 2), hash);
}

export function putObject(harness: BackendHarness, text: string, name: string): FileValue {
  const hash = createHash("sha256").update(text).digest("hex");
  mkdirSync(join(harness.storage, "objects", hash.slice(0, 2)), { recursive: true });
  writeFileSync(objectPath(harness, hash), text, { mode: 0o444 });
  return { kind: "file", hash, size: Buffer.byteLength(text), name };
}

/** The text of a file output, read from the store under the hash that the record names. */
export function outputText(harness: BackendHarness, record: TaskRecord, output: string): string {
  const value = record.outputs[output];
  if (value?.kind !== "file") throw new Error(`output ${output} is ${value?.kind ?? "not in the record"}`);
  return readFileSync(objectPath(harness, value.hash), "utf8");
}

export function recordPath(harness: BackendHarness, attempt: string): string {
  return localRunFolder(harness.storage, harness.run).record(attempt);
}

export function hasLeft(harness: BackendHarness, attempt: string): boolean {
  return harness.hasLeft?.(attempt) ?? existsSync(recordPath(harness, attempt));
}

export function recordOnStorage(harness: BackendHarness, attempt: string): TaskRecord {
  return TaskRecord.parse(JSON.parse(readFileSync(recordPath(harness, attempt), "utf8")));
}

/** Shell that runs on only when the test has called `letGo` with the same name. */
export function waitFor(harness: BackendHarness, name: string): string {
  return `while [ -d '${harness.scratch}' ] && [ ! -e '${join(harness.scratch, name)}' ]; do sleep 0.02; done`;
}

export function letGo(harness: BackendHarness, name: string): void {
  writeFileSync(join(harness.scratch, name), "");
}

/** Shell that notes in a ledger that the task has run. */
export function sign(harness: BackendHarness, attempt: string): string {
  return `echo ${attempt} >> '${join(harness.scratch, "ledger")}'`;
}

export function ledger(harness: BackendHarness): readonly string[] {
  const path = join(harness.scratch, "ledger");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean).sort() : [];
}
