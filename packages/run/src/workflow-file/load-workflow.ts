import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { WfError } from "@wf/protocol";
import type { Project } from "../project.ts";
import { bundleWorkflow } from "./bundle-workflow.ts";
import { loadBundle } from "./load-bundle.ts";
import type { LoadedWorkflow } from "./loaded-workflow.ts";

/** Bundles a workflow file and imports it from the store, where a run can find it again. */
export async function loadWorkflow(path: string, project: Project): Promise<LoadedWorkflow> {
  return loadBundle(await bundleOf(path, project), join(project.storeFolder, "bundles"));
}

/** The same for a look that leaves nothing behind. */
export async function inspectWorkflow(path: string, project: Project): Promise<LoadedWorkflow> {
  const source = await bundleOf(path, project);
  const folder = mkdtempSync(join(tmpdir(), "wf-"));
  try {
    return await loadBundle(source, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundleOf(path: string, { root }: Project): Promise<{ bundle: string; file: string }> {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw notFound(path, file);
  const real = realpathSync(file);
  return { bundle: await bundleWorkflow(real, root), file: relative(root, real) };
}

function notFound(path: string, file: string): WfError {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? file : dirname(file);
  const others = workflowsIn(folder).map((name) => join(isFolder ? path : dirname(path), name));
  return new WfError("WF_FILE_NOT_FOUND", `${path} ${isFolder ? "is a folder" : "does not exist"}`, {
    where: folder,
    hint:
      others.length > 0
        ? `name a workflow file: ${others.slice(0, 5).join(", ")}`
        : `write ${isFolder ? join(path, "workflow.ts") : basename(path)}, or a first project with: wf init`,
  });
}

function workflowsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  } catch {
    return [];
  }
}
