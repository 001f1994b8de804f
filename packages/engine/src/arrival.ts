import type { Ref } from "@wf/core";
import { decide, type Known, type KnownResult, type PlannedStage, type Resolved, type TaskInstance } from "@wf/planner";
import type { Value } from "@wf/protocol";
import { whyParamsAreWrong } from "./check-params.ts";
import { endedFact } from "./ended-fact.ts";
import type { Fact, FailureCause, TaskEnd } from "./fact.ts";
import type { LiveTask } from "./live-task.ts";
import { readyFact } from "./ready-fact.ts";
import { recollect } from "./recollect.ts";
import { retryPolicy } from "./retry-policy.ts";
import type { RunOptions } from "./run-options.ts";
import { AT_THE_START, isResumable } from "./slices.ts";

/** What comes of a task that a run comes to: it has ended before, is known from an earlier run, or has to run. */
export type Arrival = { readonly facts: readonly Fact[] } & (
  | { readonly type: "known"; readonly result: KnownResult }
  | { readonly type: "failed"; readonly cause: FailureCause; readonly isReplayed: boolean }
  | { readonly type: "live"; readonly task: LiveTask }
);

export interface Circumstances {
  readonly options: RunOptions;
  readonly known: Known;
  /** A success was revoked, so what the run remembers has to be looked at again. */
  readonly hasDoubts: boolean;
  /** A failure of the task is an end that stays. */
  readonly canRecallFailure: boolean;
  isAdopted(): boolean;
  originsOf(ref: Ref): readonly Resolved[];
  /** The task had ended, or was under way, on what is no longer true: that is put out of the way first. */
  setAside(was: TaskEnd | null): void;
}

export function arrivalOf(instance: TaskInstance, around: Circumstances): Arrival {
  const { options, known, hasDoubts, canRecallFailure } = around;
  const { memory, plan, ops, useCache } = options;
  const stage = plan.stages.get(instance.node.id) as PlannedStage;
  const decided = () => decide(instance, stage.keyParts, known, ops, useCache);
  const question = { task: instance.name, canRecallFailure, key: () => decided().key };
  const recalled = recollect(memory, hasDoubts, question);
  const upheld: Fact[] =
    "isUpheld" in recalled && recalled.isUpheld ? [{ type: "task.upheld", task: instance.name }] : [];
  if (recalled.type === "result") {
    const facts = [...upheld, endedFact(instance, { state: "done", replayed: true })];
    return { type: "known", result: recalled.result, facts };
  }
  if (recalled.type === "failure") return { type: "failed", cause: recalled.cause, isReplayed: true, facts: upheld };
  if (recalled.type === "outdated") around.setAside(recalled.was);
  const decision = decided();
  const live = (): LiveTask => ({
    instance,
    stage,
    key: decision.key,
    policy: retryPolicy(Math.max(instance.node.declaration.retries, options.retries), options.random),
    state: { name: "queued", attempts: memory.attemptsOf(instance.name), failures: {} },
    progress:
      isResumable(instance.node) && recalled.type !== "outdated" ? memory.progressOf(instance.name) : AT_THE_START,
    attempt: "",
    isAdopted: false,
    isInherited: false,
  });
  if (around.isAdopted()) return { type: "live", task: live(), facts: upheld };
  const facts = [...upheld, readyFact(instance, stage, decision, around.originsOf)];
  if (decision.action === "reuse") {
    const { outputs, run, task: from } = decision.from;
    const ended = endedFact(instance, {
      state: "cached",
      outputs: outputs as Record<string, Value>,
      splits: instance.node.outputSplits,
      key: decision.key,
      cachedFrom: { run, task: from },
    });
    return { type: "known", result: decision.from, facts: [...facts, ended] };
  }
  const wrong = whyParamsAreWrong(instance);
  if (wrong === undefined) return { type: "live", task: live(), facts };
  return { type: "failed", cause: { root: instance.name, message: wrong }, isReplayed: false, facts };
}
