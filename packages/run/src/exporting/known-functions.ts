import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Resolved, TaskInstance } from "@wf/planner";
import { attemptName, type Json, WfError } from "@wf/protocol";
import { createFnHost } from "../executing/fn-host.ts";
import type { Preparation } from "../planning/preparation.ts";
import { keepValue, resolveValue } from "../planning/value-ops.ts";

export interface KnownFunctions {
  call(task: TaskInstance): Promise<{ readonly [output: string]: Resolved }>;
  close(): Promise<void>;
}

/** Functions of a workflow all of whose inputs are known before anything runs: they are called here and now. */
export function knownFunctions({ graph, objects, store, loaded }: Preparation): KnownFunctions {
  const folder = mkdtempSync(join(tmpdir(), "wf-export-"));
  const host = createFnHost({
    graph,
    objects,
    params: graph.params,
    bundleUrl: pathToFileURL(join(store.folder, "bundles", `${loaded.hash}.mjs`)).href,
    attemptFolder: (attempt) => join(folder, attempt),
    bring: async () => undefined,
  });
  const { signal } = new AbortController();
  return {
    async call(task) {
      const params = Object.entries(task.params).map(([name, value]) => [name, jsonOf(value)]);
      const inputs = Object.entries(task.inputs).map(([name, value]) => [name, keepValue(objects, value)]);
      const call = {
        task: task.node.id,
        attempt: attemptName(task.name, 1),
        inputs: Object.fromEntries(inputs),
        params: Object.fromEntries(params),
        timeLimitSeconds: task.node.resources.timeLimitSeconds,
      };
      const result = await host.run(call, signal);
      if (!result.ok) throw new WfError("WF_TASK_FAILED", result.message, { where: `the function "${task.name}"` });
      return Object.fromEntries(Object.entries(result.outputs).map(([name, value]) => [name, resolveValue(value)]));
    },
    async close() {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function jsonOf(value: Resolved): Json {
  return value.kind === "json" ? value.value : null;
}
