import { dirname, resolve } from "node:path";
import type { Graph, SourceLine, TaskNode } from "@wf/core";
import type { RuntimeWish } from "@wf/protocol";
import { type PythonProject, readPythonProject } from "./python-project.ts";

/** The Python project of each stage that has one. */
export function pythonProjects(graph: Graph, projectRoot: string): ReadonlyMap<string, PythonProject> {
  const read = new Map<string, PythonProject>();
  const projects = new Map<string, PythonProject>();
  for (const node of graph.nodes.values()) {
    if (node.kind !== "task" || node.declaration.runtime.kind !== "python") continue;
    const folder = besideDeclaration(node, node.declaration.runtime.project, projectRoot);
    const project = read.get(folder) ?? readPythonProject(folder);
    read.set(folder, project);
    projects.set(node.id, project);
  }
  return projects;
}

/** Paths in a declaration are relative to the file that it stands in. */
export function besideDeclaration({ declaration }: TaskNode, path: string, projectRoot: string): string {
  return resolve(projectRoot, dirname((declaration.at as SourceLine | undefined)?.file ?? ""), path);
}

export function wishesOf(projects: ReadonlyMap<string, PythonProject>): ReadonlyMap<string, RuntimeWish> {
  const wishes = [...projects].flatMap(([stage, { wish }]) => (wish === null ? [] : [[stage, wish] as const]));
  return new Map(wishes);
}
