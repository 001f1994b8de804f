import { type Graph, type GraphOutput, refsOf, type Scope, showLine, type TaskNode } from "@wf/core";
import { stageGraph } from "@wf/planner";
import { type ArtifactSource, sourcesOf } from "./artifact-source.ts";
import type { Arrow, Drawing, Shape } from "./drawing.ts";
import { groupStages } from "./groups.ts";
import { showArtifact, showType } from "./show-artifact.ts";
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
      note: input.from ?? "",
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
      note: "",
    });
    arrows.addData(sources, outputId(name), name);
  }
  for (const id of order) addControl(graph, id, arrows);
  for (const [from, to] of stages.edges().map((edge) => stages.extremities(edge))) arrows.addOrder(from, to);
  return { title: graph.workflow, shapes, groups, arrows: arrows.list() };
}

const PLAIN = { count: undefined, fits: false, group: undefined } as const;
const inputId = (name: string) => `input ${name}`;
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

/** Arrows between two shapes are one, with all that flows. What another way says already is left out. */
class ArrowSet {
  readonly #labels = new Map<string, Map<string, Set<string>>>();
  readonly #kinds = new Map<string, Arrow["kind"]>();

  /** What is called `known` needs no label: the shape says it. */
  addData(sources: readonly ArtifactSource[], to: string, known?: string): void {
    for (const source of sources) this.#add(source, to, "data", known);
  }

  /** Only the first stages of a body hang on what decides about it; the others come after them. */
  addControl(sources: readonly ArtifactSource[], to: string): void {
    for (const source of sources) if (!this.#reaches(idOf(source), to)) this.#add(source, to, "control");
  }

  addOrder(from: string, to: string): void {
    if (this.#reaches(from, to)) return;
    this.#into(from, to);
    this.#kinds.set(key(from, to), "order");
  }

  list(): Arrow[] {
    return [...this.#labels].flatMap(([from, targets]) =>
      [...targets].map(([to, labels]) => ({
        from,
        to,
        kind: this.#kinds.get(key(from, to)) as Arrow["kind"],
        label: shortList([...labels]),
      })),
    );
  }

  #add(source: ArtifactSource, to: string, kind: Arrow["kind"], known?: string): void {
    const from = idOf(source);
    if (from === to) return;
    const labels = this.#into(from, to);
    if ("stage" in source.from && source.name !== known) labels.add(showArtifact(source.name, source.type));
    if (this.#kinds.get(key(from, to)) !== "data") this.#kinds.set(key(from, to), kind);
  }

  #into(from: string, to: string): Set<string> {
    const targets = this.#labels.get(from) ?? new Map<string, Set<string>>();
    this.#labels.set(from, targets);
    const labels = targets.get(to) ?? new Set<string>();
    targets.set(to, labels);
    return labels;
  }

  #reaches(from: string, to: string, seen = new Set<string>()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(this.#labels.get(from)?.keys() ?? [])].some((next) => this.#reaches(next, to, seen));
  }
}

function idOf({ from }: ArtifactSource): string {
  return "input" in from ? inputId(from.input) : from.stage;
}

function key(from: string, to: string): string {
  return `${from}\0${to}`;
}

const MOST_LABELS = 3;

function shortList(words: readonly string[]): string {
  const shown = words.slice(0, MOST_LABELS).join(", ");
  return words.length > MOST_LABELS ? `${shown} +${words.length - MOST_LABELS}` : shown;
}
