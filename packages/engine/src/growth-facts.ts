import type { Resolved, UnfoldingEvents, ValueOps } from "@wf/planner";
import { WfError } from "@wf/protocol";
import type { Fact } from "./fact.ts";

/** Tells as facts how the graph grows. */
export function growthFacts(note: (fact: Fact) => void, ops: ValueOps): UnfoldingEvents {
  return {
    expanded: ({ node, index, count, over }) =>
      note({ type: "expanded", node: node.id, index, count, source: sourceOf(over, ops) }),
    unexpandable: ({ node }) => {
      throw new WfError("WF_INTERNAL", `"${node.id}" could not be expanded while running`);
    },
    broken: ({ node, error: { code, message, where }, isTolerated }) =>
      note({
        type: "run.broken",
        node: node.id,
        code,
        message,
        ...(where === undefined ? {} : { where }),
        ...(isTolerated ? { tolerated: true } : {}),
      }),
    skipped: ({ name, node, index, cause }) =>
      note({
        type: "task.ended",
        task: name,
        stage: node.id,
        index,
        state: "skipped",
        cause: { root: cause.task, message: cause.message },
      }),
  };
}

/** A list that was computed from one artifact is known by that, and need not be walked. */
function sourceOf(over: Resolved, ops: ValueOps): string {
  return over.kind === "list" && over.identity ? over.identity() : ops.hash(over);
}
