import type { Ref, TaskInput } from "@wf/core";
import type { Decision, PlannedStage, Resolved, TaskInstance } from "@wf/planner";
import type { Fact, UsedInput } from "./fact.ts";
import { paramOf } from "./task-spec.ts";

/** A task has all that it needs: its key, what it is given, and where that came from. */
export function readyFact(
  instance: TaskInstance,
  stage: PlannedStage,
  decision: Decision,
  originsOf: (ref: Ref) => readonly Resolved[],
): Fact {
  const given = Object.entries(instance.inputs).map(([name, value]): UsedInput => {
    const { ref, splits, carried } = instance.node.inputs[name] as TaskInput;
    return { name, value, split: splits, carried, origins: originsOf(ref) };
  });
  return {
    type: "task.ready",
    task: instance.name,
    stage: instance.node.id,
    index: instance.index,
    key: decision.key,
    parts: decision.parts,
    inputs: [...codeOf(stage), ...given],
    params: Object.fromEntries(Object.keys(instance.params).map((name) => [name, paramOf(instance, name)])),
  };
}

function codeOf(stage: PlannedStage): UsedInput[] {
  return stage.code.map(({ name, value }) => ({ name: `code ${name}`, value, split: [], carried: false, origins: [] }));
}
