import { type Graph, type GraphOutput, refsOf, type Scope, showLine, type TaskNode } from "@wf/core";
import { stageGraph } from "@wf/planner";
import { showModelChoice } from "@wf/protocol";
import { ArrowSet, inputId } from "./arrow-set.ts";
import { type ArtifactSource, sourcesOf } from "./artifact-source.ts";
import type { Drawing, Shape } from "./drawing.ts";
import { groupStages } from "./groups.ts";
import { showType } from "./show-artifact.ts";
import { showResources } from "./show-resources.ts";

/** The picture of a workflow's graph. Throws WF_CYCLE if it has one. */
export function drawGraph(graph: Graph): Drawing {
  const { graph: stages, order } = stageGraph(graph);
  const { groups, groupOf, countsOf } = groupStages(graph);
  const shapes: Shape[] = [];
  const arrows = new ArrowSet();
  for (const [name, input] of Object.entries(graph.inputs)) {
    shapes.push({
      ...PLAIN,
      id: inputId(name),
      kind: "input",
      label: name,
      detail: showType(input.type),
      note: input.from ?? (input.model ? `model ${showModelChoice(input.model)}` : ""),
    });
  }
  for (const id of order) {
    const task = graph.nodes.get(id) as TaskNode;
    shapes.push({
      id,
      kind: "task",
      label: id.slice(id.lastIndexOf("/") + 1),
      detail: showResources(task),
      count: countsOf.get(id)?.join(" "),
      fits: task.declaration.fits,
      note: noteOf(task),
      group: groupOf.get(id),
    });
    for (const ref of refsOf(task)) arrows.addData(sourcesOf(graph, ref), id);
  }
  for (const [name, output] of Object.entries(graph.outputs)) {
    const sources = sourcesOf(graph, output.ref);
    shapes.push({
      ...PLAIN,
      id: outputId(name),
      kind: "output",
      label: name,
      detail: typeOfOutput(output, sources),
      note: output.model ? `model ${output.model.name}` : "",
    });
    arrows.addData(sources, outputId(name), name);
  }
  for (const id of order) addControl(graph, id, arrows);
  for (const [from, to] of stages.edges().map((edge) => stages.extremities(edge))) arrows.addOrder(from, to);
  return { title: graph.workflow, shapes, groups, arrows: arrows.list() };
}

const PLAIN = { count: undefined, fits: false, group: undefined } as const;
const outputId = (name: string) => `output ${name}`;

function noteOf(task: TaskNode): string {
  const at = showLine(task.at);
  return [task.id, ...(at === undefined ? [] : [at])].join("\n");
}

function typeOfOutput({ kind }: GraphOutput, sources: readonly ArtifactSource[]): string {
  const [source] = sources;
  if (kind === "metric" || !source) return kind;
  return kind === "collection" ? `${showType(source.type)}s` : showType(source.type);
}

/** What decides whether a stage runs. A map's own input is data, which its elements carry already. */
function addControl(graph: Graph, stage: string, arrows: ArrowSet): void {
  for (let scope = graph.scopes[(graph.nodes.get(stage) as TaskNode).scope]; scope?.owner !== undefined; ) {
    const owner = graph.nodes.get(scope.owner);
    if (owner?.kind === "when") arrows.addControl(sourcesOf(graph, owner.condition), stage);
    if (owner?.kind === "each") arrows.addControl(sourcesOf(graph, owner.over), stage);
    scope = graph.scopes[owner?.scope as number] as Scope;
  }
}
