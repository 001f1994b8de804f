import { nobodyToAsk } from "@wf/transport";
import { beginRun } from "./executing/begin-run.ts";
import { executeRun } from "./executing/execute-run.ts";
import { reopenRun } from "./executing/reopen-run.ts";
import type { RunInProgress } from "./executing/run-in-progress.ts";
import { startRun } from "./executing/start-run.ts";
import type { StartedRun } from "./executing/started-run.ts";
import { isPlanFile, preparePlanFile } from "./planning/plan-file.ts";
import { fileSettings, prepareFile } from "./planning/prepare-file.ts";
import { findProject } from "./project.ts";
import type { ResumeOptions, RunOptions } from "./run-options.ts";

/** Runs a workflow's file, or a plan that was saved. */
export function run(file: string, options: RunOptions = {}): RunInProgress {
  return pipeline(options, async (note) => {
    const prepared = isPlanFile(file)
      ? await preparePlanFile(file, options.store, note)
      : await prepareFile(file, fileSettings(options), note);
    try {
      const { cache = true, after = [], ...others } = options;
      options.signal?.throwIfAborted();
      return await startRun(prepared, { ...others, cache, after }, note);
    } catch (error) {
      prepared.store.close();
      throw error;
    }
  });
}

/** Goes on with a run that has not succeeded: by its name, the start of one, or `last`. */
export function resume(name = "last", options: ResumeOptions = {}): RunInProgress {
  const { project = process.cwd(), store, ...changes } = options;
  return pipeline(options, (note) => reopenRun(name, findProject(project, store), changes, note));
}

/** Law: a new run and a resumed one differ in where they come from, and in nothing else. */
function pipeline(
  { signal, ask = nobodyToAsk }: Pick<RunOptions, "signal" | "ask">,
  start: (note: (text: string) => void) => Promise<StartedRun>,
): RunInProgress {
  return beginRun(async (control, onEvent) => {
    const started = await start((text) => onEvent({ type: "note", text }));
    try {
      return await executeRun(started, { onEvent, control, ask });
    } finally {
      started.store.close();
    }
  }, signal);
}
