import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileValue, type RankRecord, type TaskRecord, unmeasuredUsage } from "@wf/protocol";
import { onTestFinished } from "vitest";
import type { NewRun } from "./new-run.ts";
import type { RunJournal } from "./run-journal.ts";
import { Store } from "./store.ts";
import type { StoreOptions } from "./store-options.ts";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export function file(content: string, name = "data.csv"): FileValue {
  return { kind: "file", hash: sha256(content), size: content.length, name };
}

export function newRun(changes: Partial<NewRun> = {}): NewRun {
  return {
    workflow: { name: "lung", file: "lung.ts", hash: sha256("bundle"), source: "export default 1;" },
    params: { epochs: 3 },
    inputs: {},
    site: "local",
    options: {},
    plan: { jobs: [] },
    git: null,
    ...changes,
  };
}

export function record(changes: Partial<TaskRecord> & Pick<TaskRecord, "task" | "attempt">): TaskRecord {
  return {
    version: 1,
    run: "run",
    job: "job",
    state: "succeeded",
    failure: null,
    exitCode: 0,
    signal: null,
    host: "node1",
    pid: 4711,
    bootId: "boot",
    startedAt: 1000,
    endedAt: 1010,
    usage: {
      ...unmeasuredUsage(10),
      userSeconds: 8,
      systemSeconds: 1,
      cpuPercent: 90,
      peakMemoryBytes: 50_000_000,
      readBytes: 3_000_000,
      writtenBytes: 2_000_000,
      diskReadBytes: 4096,
      diskWrittenBytes: 8192,
      voluntarySwitches: 5,
      involuntarySwitches: 6,
      majorFaults: 7,
      minorFaults: 8,
    },
    stagedIn: { files: 2, bytes: 20, seconds: 0.25 },
    stagedOut: { files: 1, bytes: 10, seconds: 0.125 },
    outputs: {},
    undeclared: [],
    leftoverProcesses: 0,
    gpus: [],
    metrics: [],
    series: [],
    ...changes,
  };
}

/** One process of a distributed task. */
export function rank(number: number, changes: Partial<RankRecord> = {}): RankRecord {
  const { host, pid, exitCode, signal, startedAt, endedAt, usage } = record({ task: "", attempt: "" });
  return { rank: number, localRank: number, host, pid, exitCode, signal, startedAt, endedAt, usage, ...changes };
}

/** A folder that is gone when the test is over. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wf-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function testStore(options: StoreOptions = {}, folder: string = testFolder()): Store {
  const store = Store.open(folder, options);
  onTestFinished(() => store.close());
  return store;
}

export interface Step {
  readonly stage: string;
  readonly task?: string;
  readonly index?: readonly number[];
  readonly inputs?: Parameters<RunJournal["taskReady"]>[0]["inputs"];
  readonly outputs?: TaskRecord["outputs"];
  readonly splits?: Readonly<Record<string, readonly string[]>>;
  readonly record?: Partial<TaskRecord>;
}

/** One task from ready to done and remembered. Returns its key. */
export function runStep(journal: RunJournal, step: Step): string {
  const { stage, task = stage, index = [], inputs = [], outputs = {}, splits = {} } = step;
  const parts = [{ name: "command", hash: sha256(stage), text: stage }];
  const key = sha256(JSON.stringify([...parts, { name: "task", hash: sha256(task) }]));
  const attempt = `${task}#1`;
  const job = `job of ${task}`;
  journal.taskReady({ task, stage, index, key, parts, inputs });
  journal.jobSubmitted({ job, kind: "compute", tasks: 1, resources: { cpus: 1 } });
  journal.attemptSubmitted({ task, attempt, job, number: 1 });
  journal.attemptStarted({ attempt, startedAt: 1000 });
  journal.attemptFinished(record({ task, attempt, job, outputs, ...step.record }));
  journal.taskEnded({ task, state: "done", outputs, splits });
  journal.remember(key, { task });
  return key;
}

export function addStage(journal: RunJournal, stage: string, facts: { fits?: boolean; position?: number } = {}): void {
  const { fits = false, position = 0 } = facts;
  journal.stage({ stage, task: stage, fits, resources: { cpus: 1 }, position });
}
