import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Graph, showLine, type TaskNode } from "@wf/core";
import type { Importer } from "@wf/data";
import type { StagedCode } from "@wf/planner";
import { WfError } from "@wf/protocol";
import type { PythonProject } from "./python-project.ts";
import { besideDeclaration } from "./runtime-wishes.ts";

/** Of a Python project: what no task runs. */
const NEVER_STAGED = ["tests", "*.egg-info", ".pytest_cache", ".mypy_cache", ".ruff_cache"];

/** Brings the files that tasks' commands need into the store. Paths are relative to the file that declares the task. */
export async function stageCode(
  graph: Graph,
  projectRoot: string,
  projects: ReadonlyMap<string, PythonProject>,
  importer: Importer,
): Promise<ReadonlyMap<string, readonly StagedCode[]>> {
  const imported = new Map<string, Promise<StagedCode["value"]>>();
  const importOnce = (path: string, isFolder: boolean, ignore: readonly string[]) => {
    const identity = JSON.stringify([path, ignore]);
    const known =
      imported.get(identity) ?? (isFolder ? importer.importTree(path, { ignore }) : importer.importFile(path));
    imported.set(identity, known);
    return known;
  };
  const staged = new Map<string, readonly StagedCode[]>();
  for (const node of graph.nodes.values()) {
    if (node.kind !== "task") continue;
    const wanted = codeOf(node, projects.get(node.id), projectRoot);
    if (wanted.length === 0) continue;
    staged.set(
      node.id,
      await Promise.all(
        wanted.map(async ({ name, path, file, ignore }) => {
          const isFolder = folderOrFile(file, node, path);
          const value = await importOnce(file, isFolder, ignore);
          return { name, path: isFolder ? `code/${name}` : join("code", name, basename(file)), value };
        }),
      ),
    );
  }
  return staged;
}

interface Wanted {
  readonly name: string;
  /** As it is declared. */
  readonly path: string;
  readonly file: string;
  readonly ignore: readonly string[];
}

function codeOf(node: TaskNode, project: PythonProject | undefined, projectRoot: string): Wanted[] {
  const { runtime, code } = node.declaration;
  const files = Object.entries(code).map(([name, path]) => ({
    name,
    path,
    file: besideDeclaration(node, path, projectRoot),
    ignore: [],
  }));
  if (runtime.kind !== "python" || project === undefined) return files;
  return [{ name: "project", path: runtime.project, file: project.code, ignore: NEVER_STAGED }, ...files];
}

function folderOrFile(file: string, node: TaskNode, path: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat) return stat.isDirectory();
  throw new WfError("WF_INPUT_UNREADABLE", `task "${node.declaration.name}" needs "${path}", which is not there`, {
    where: showLine(node.declaration.at) ?? file,
    hint: `paths of code are relative to the file that declares the task: ${file} does not exist`,
  });
}
