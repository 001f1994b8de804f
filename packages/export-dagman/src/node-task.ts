import { type SpecContext, taskSpec } from "@wf/engine";
import { howToPlace, type Resolved, unknownIn } from "@wf/planner";
import { type Formula, type LaterInput, type NodeTask, SANDBOX } from "./documents.ts";
import { formulaOf } from "./formula.ts";
import type { StaticTask } from "./static-part.ts";

export type NodeContext = Pick<SpecContext, "artifacts" | "placement" | "siteEnv" | "python">;

/** What the launcher needs for a task, and how it finds what is not there yet. */
export function nodeTask({ task, stage }: StaticTask, context: NodeContext, runtime: string | undefined): NodeTask {
  const { declaration } = task.node;
  const keep = (value: Resolved) => context.artifacts.keep(value);
  const later = (values: { readonly [name: string]: Resolved }) =>
    Object.entries(values).filter(([, value]) => unknownIn(value) !== undefined);
  const inputs = later(task.inputs);
  const params = later(task.params);
  const how = howToPlace(context.placement, "intermediate");
  const spec = taskSpec(
    {
      task: { ...task, inputs: withGaps(task.inputs, inputs), params: withGaps(task.params, params) },
      stage,
      attempt: task.name,
      checkpoint: null,
    },
    {
      ...context,
      artifacts: { keep: (value) => (value.kind === "unknown" ? { kind: "absent" } : keep(value)) },
      sandboxOf: () => SANDBOX,
      secret: () => "",
    },
    runtime === undefined ? undefined : PREPARED_THERE,
  );
  const { attempt, path, ...told } = spec;
  const secrets = Object.entries(declaration.env).flatMap(([name, value]) =>
    typeof value === "string" ? [] : [[name, value.secret] as const],
  );
  return {
    ...told,
    env: Object.fromEntries(Object.entries(told.env).filter(([name]) => told.secrets?.includes(name) !== true)),
    inputs: told.inputs.filter(({ name }) => !inputs.some(([gap]) => gap === name)),
    params: Object.fromEntries(Object.entries(told.params).filter(([name]) => !params.some(([gap]) => gap === name))),
    later: {
      inputs: Object.fromEntries(
        inputs.map(([name, value]): [string, LaterInput] => {
          const isMany = task.node.inputs[name]?.many === true;
          return [name, { from: formulaOf(value, keep), how, isMany }];
        }),
      ),
      params: Object.fromEntries(params.map(([name, value]): [string, Formula] => [name, formulaOf(value, keep)])),
    },
    metrics: declaration.metrics,
    secretNames: Object.fromEntries(secrets),
    ...(runtime === undefined ? {} : { runtime }),
  };
}

function withGaps(
  values: { readonly [name: string]: Resolved },
  gaps: readonly (readonly [string, Resolved])[],
): { readonly [name: string]: Resolved } {
  return {
    ...values,
    ...Object.fromEntries(gaps.map(([name]) => [name, { kind: "unknown", because: name } as const])),
  };
}

/** Which interpreter it is, the node finds in the runtime's own folder. */
const PREPARED_THERE = { key: "", how: "found", interpreter: "", bin: "", python: "", packages: {} } as const;
