import { type ObjectStore, valueObjects } from "@wf/data";
import type { Known, KnownResult, Resolved } from "@wf/planner";
import type { KeyPart, Value } from "@wf/protocol";
import type { Store } from "@wf/store";
import { explainKey } from "./explain-key.ts";
import { resolveValue } from "./value-ops.ts";

interface StoredResult {
  readonly outputs: Readonly<Record<string, Value>>;
  readonly metrics: Readonly<Record<string, unknown>>;
}

/** A result of the store as the planner takes it. */
export function knownResult(run: string, task: string, found: StoredResult): KnownResult {
  const outputs: Record<string, Resolved> = {};
  for (const name in found.outputs) outputs[name] = resolveValue(found.outputs[name] as Value);
  const metrics: Record<string, Resolved> = {};
  for (const name in found.metrics) metrics[name] = { kind: "json", value: found.metrics[name] as number };
  return { outputs, metrics, run, task };
}

/** Whether content lies where a run can use it, as large as it must be (null: nobody knows). */
export type IsKept = (hash: string, sizeBytes: number | null) => boolean;

/** An entry whose files are gone is none. Manifests must lie here. */
export function isThere(objects: ObjectStore, outputs: Readonly<Record<string, Value>>, isKept: IsKept): boolean {
  for (const name in outputs) {
    for (const { hash, isManifest, sizeBytes } of valueObjects(objects, outputs[name] as Value)) {
      if (isManifest ? !objects.isIntact(hash, sizeBytes) : !isKept(hash, sizeBytes)) return false;
    }
  }
  return true;
}

/** What earlier runs of the store left behind, for a plan. */
export function knownTo(store: Store, objects: ObjectStore, workflow: string, isKept: IsKept): Known {
  return {
    cached(key) {
      const found = store.cached(key);
      return found && isThere(objects, found.outputs, isKept) ? knownResult(found.run, found.task, found) : undefined;
    },
    explain(task: string, stage: string, parts: readonly KeyPart[]) {
      const earlier = store.comparable({ workflow, task, stage });
      return earlier?.task === task ? explainKey(parts, earlier.parts) : "never ran before";
    },
  };
}
