import type { PlanLine } from "@wf/planner";
import { nobodyToAsk } from "@wf/transport";
import { plannedLines } from "./planning/planned-lines.ts";
import { fileSettings, prepareFile } from "./planning/prepare-file.ts";
import type { PlanOptions } from "./run-options.ts";

/** What a run of a workflow's file would do, and why: the header first, the totals last. Nothing runs. */
export async function* plan(file: string, options: PlanOptions = {}): AsyncGenerator<PlanLine> {
  const { cache = true, ask = nobodyToAsk, signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const prepared = await prepareFile(file, fileSettings(options), () => undefined);
  try {
    for await (const line of plannedLines(prepared, { cache, ask, signal })) {
      signal.throwIfAborted();
      yield line;
    }
  } finally {
    prepared.store.close();
  }
}
