import { taskKey } from "@wf/core";
import type { KeyPart } from "@wf/protocol";
import { keyPartsOf } from "../key-parts.ts";
import { type Resolved, unknownIn, type ValueOps } from "../resolved.ts";
import type { TaskInstance } from "../task-instance.ts";

/** A result that is already there. */
export interface KnownResult {
  readonly outputs: { readonly [name: string]: Resolved };
  readonly metrics: { readonly [name: string]: Resolved };
  readonly run: string;
  readonly task: string;
}

/** What earlier runs left behind. */
export interface Known {
  cached(key: string): KnownResult | undefined;
  /** How this task differs from its last relative that ran: "param `lr`: 0.1 -> 0.2". */
  explain?(task: string, stage: string, parts: readonly KeyPart[]): string;
}

export type Decision =
  | { readonly action: "reuse"; readonly from: KnownResult; readonly key: string; readonly parts: readonly KeyPart[] }
  | {
      readonly action: "run";
      readonly key: string | null;
      readonly parts: readonly KeyPart[];
      readonly because: RunReason;
    };

export type RunReason = "new" | "upstream" | "policy";

/** Whether a task must run, given what is known. */
export function decide(
  task: TaskInstance,
  stage: readonly KeyPart[],
  known: Known,
  ops: ValueOps,
  useCache: boolean,
): Decision {
  const parts = keyPartsOf(task, stage, ops);
  if (!parts) return { action: "run", key: null, parts: [], because: "upstream" };
  const key = taskKey(parts);
  if (!useCache || task.node.declaration.cache === "never") return { action: "run", key, parts, because: "policy" };
  const from = known.cached(key);
  return from ? { action: "reuse", from, key, parts } : { action: "run", key, parts, because: "new" };
}

/** The same where nothing can be reused. */
export function decideUnknown(task: TaskInstance, useCache: boolean): Extract<Decision, { action: "run" }> {
  const because = upstreamOf(task) !== undefined ? "upstream" : useCache ? "new" : "policy";
  return { action: "run", key: null, parts: [], because };
}

/** The task whose result is waited for, when that is why the key is not known. */
export function upstreamOf(task: TaskInstance): string | undefined {
  for (const value of [...Object.values(task.params), ...Object.values(task.inputs)]) {
    const because = unknownIn(value);
    if (because !== undefined) return because;
  }
  return undefined;
}
