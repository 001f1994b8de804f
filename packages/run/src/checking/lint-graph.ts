import {
  type Graph,
  type Node,
  nodesOf,
  partsOf,
  type Ref,
  refsOf,
  showLine,
  type TaskDeclaration,
  type TaskNode,
} from "@wf/core";
import type { Finding } from "./finding.ts";

/** What is allowed and yet looks like a slip. Kept few: each of these has cost somebody a run. */
export function lintGraph(graph: Graph, file: string): Finding[] {
  const tasks = [...graph.nodes.values()].filter((node) => node.kind === "task");
  return [
    ...unusedInputs(graph, file),
    ...unusedResults(graph, tasks),
    ...sharedNames(tasks),
    ...numberedStages(tasks),
    ...openEndedTraining(tasks),
  ];
}

function allRefs(graph: Graph): Ref[] {
  return [
    ...[...graph.nodes.values()].flatMap(refsOf),
    ...[...graph.nodes.values()].flatMap((node: Node) => (node.kind === "repeat" ? [node.until] : [])),
    ...graph.scopes.flatMap(({ results }) => Object.values(results)),
    ...Object.values(graph.outputs).flatMap(({ model }) => Object.values(model?.metrics ?? {}).map(({ ref }) => ref)),
  ];
}

function unusedInputs(graph: Graph, file: string): Finding[] {
  const used = new Set<string>();
  const visit = (ref: Ref): void => {
    if (ref.ref === "input") used.add(ref.name);
    partsOf(ref).forEach(visit);
  };
  allRefs(graph).forEach(visit);
  return Object.keys(graph.inputs)
    .filter((name) => !used.has(name))
    .map((name) => ({
      severity: "warning",
      code: "unused-input",
      message: `input "${name}" of the workflow is not used`,
      file,
      hint: "pass it to a task, or take it out",
    }));
}

function unusedResults(graph: Graph, tasks: readonly TaskNode[]): Finding[] {
  const used = new Set<string>();
  for (const ref of allRefs(graph)) for (const node of nodesOf(ref)) used.add(node);
  return tasks
    .filter(({ id, declaration }) => !used.has(id) && Object.keys(declaration.outputs).length > 0)
    .map((task) => ({
      ...placeOf(task),
      severity: "warning",
      code: "unused-result",
      message: `nothing uses what "${task.id}" makes`,
      hint: "return it from build(), pass it on, or take the call out",
    }));
}

/** Two declarations under one name share their stage's progress, logs and traces by accident. */
function sharedNames(tasks: readonly TaskNode[]): Finding[] {
  const first = new Map<string, TaskDeclaration>();
  const told = new Set<TaskDeclaration>();
  return tasks.flatMap(({ declaration }): Finding[] => {
    const other = first.get(declaration.name) ?? declaration;
    first.set(declaration.name, other);
    if (other === declaration || told.has(declaration)) return [];
    told.add(declaration);
    const elsewhere = showLine(other.at);
    return [
      {
        ...placeOf(declaration),
        severity: "warning",
        code: "task-named-twice",
        message: `two tasks are called "${declaration.name}"${elsewhere === undefined ? "" : `; the other one is declared at ${elsewhere}`}`,
        hint: "give one of them another name",
      },
    ];
  });
}

/** Only in the workflow itself: the stages of a part that is used twice cannot be named by its user. */
function numberedStages(tasks: readonly TaskNode[]): Finding[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return tasks
    .filter(({ id, declaration: { name } }) => ids.has(name) && new RegExp(`^${name}-\\d+$`).test(id))
    .map((task) => ({
      ...placeOf(task),
      severity: "warning",
      code: "stage-numbered",
      message: `"${task.declaration.name}" is called more than once; this call is known as "${task.id}"`,
      hint: `name it: ${task.declaration.name}(inputs, params, { as: "…" })`,
    }));
}

/** A fit that hangs holds its place for ever, and a cluster has to be told. One hint a task. */
function openEndedTraining(tasks: readonly TaskNode[]): Finding[] {
  const open = tasks.filter(({ declaration, resources }) => {
    const isBig = declaration.fits || resources.gpus > 0;
    return isBig && resources.timeLimitSeconds === null;
  });
  const byDeclaration = new Map(open.map((task) => [task.declaration, task]));
  return [...byDeclaration.values()].map((task) => ({
    ...placeOf(task.declaration),
    severity: "warning",
    code: "no-time-limit",
    message: `"${task.declaration.name}" has no time limit`,
    hint: 'say how long it may take: resources: { time: "4h" }',
  }));
}

function placeOf({ at }: TaskNode | TaskDeclaration): Pick<Finding, "file" | "line"> {
  return at ? { file: at.file, line: at.line } : {};
}
