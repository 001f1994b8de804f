import type { Graph, Ref } from "@wf/core";
import type { Resolved } from "@wf/planner";
import type { Value } from "@wf/protocol";
import type { ModelFact, ModelMetric } from "@wf/store";

/** The models among the outputs of a run that has succeeded. What may be absent, and is, is none. */
export function modelsOf(
  graph: Graph,
  values: Readonly<Record<string, Value>>,
  resolve: (ref: Ref) => Resolved,
): ModelFact[] {
  return Object.entries(graph.outputs).flatMap(([output, { model, splits }]): ModelFact[] => {
    const value = values[output];
    if (model === undefined || (value?.kind !== "file" && value?.kind !== "directory")) return [];
    const metrics: Record<string, ModelMetric> = {};
    for (const [name, metric] of Object.entries(model.metrics)) {
      const found = resolve(metric.ref);
      if (found.kind === "json" && typeof found.value === "number")
        metrics[name] = { value: found.value, splits: metric.splits };
    }
    return [{ name: model.name, output, value, splits, metrics }];
  });
}
