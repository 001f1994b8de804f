import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Graph, type SourceLine, showLine, type TaskDeclaration, type TaskNode, WfError } from "@wf/core";
import type { Importer } from "@wf/data";
import type { StagedCode } from "@wf/planner";

/** Brings the files that tasks' commands need into the store. Paths are relative to the file that declares the task. */
export async function stageCode(
  graph: Graph,
  projectRoot: string,
  importer: Importer,
): Promise<ReadonlyMap<string, readonly StagedCode[]>> {
  const imported = new Map<string, Promise<StagedCode["value"]>>();
  const importOnce = (path: string, isFolder: boolean) => {
    const known = imported.get(path) ?? (isFolder ? importer.importTree(path) : importer.importFile(path));
    imported.set(path, known);
    return known;
  };
  const staged = new Map<string, readonly StagedCode[]>();
  for (const node of graph.nodes.values()) {
    if (node.kind !== "task") continue;
    const wanted = codeOf(node.declaration);
    if (wanted.length === 0) continue;
    staged.set(
      node.id,
      await Promise.all(
        wanted.map(async ({ name, path }) => {
          const file = resolve(projectRoot, dirname((node.declaration.at as SourceLine | undefined)?.file ?? ""), path);
          const isFolder = folderOrFile(file, node, path);
          const value = await importOnce(file, isFolder);
          return { name, path: isFolder ? `code/${name}` : join("code", name, basename(file)), value };
        }),
      ),
    );
  }
  return staged;
}

function codeOf({ runtime, code }: TaskDeclaration): { name: string; path: string }[] {
  const files = Object.entries(code).map(([name, path]) => ({ name, path }));
  return runtime.kind === "python" ? [{ name: "project", path: runtime.project }, ...files] : files;
}

function folderOrFile(file: string, node: TaskNode, path: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat) return stat.isDirectory();
  throw new WfError("WF_INPUT_UNREADABLE", `task "${node.declaration.name}" needs "${path}", which is not there`, {
    where: showLine(node.declaration.at) ?? file,
    hint: `paths of code are relative to the file that declares the task: ${file} does not exist`,
  });
}
