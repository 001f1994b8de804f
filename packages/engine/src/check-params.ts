import type { TaskInstance } from "@wf/planner";
import { paramOf } from "./task-spec.ts";

/** Parameters that only exist at run time meet their schema here. Returns what is wrong. */
export function whyParamsAreWrong({ node, params }: TaskInstance): string | undefined {
  const dynamic = Object.keys(params).filter((name) => node.params[name]?.ref !== "const");
  for (const name of dynamic) {
    const parsed = node.declaration.params.shape[name]?.safeParse(paramOf({ params }, name));
    if (parsed && !parsed.success) return `parameter "${name}": ${parsed.error.issues[0]?.message}`;
  }
  return undefined;
}
