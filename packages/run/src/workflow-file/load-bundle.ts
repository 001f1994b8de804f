import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isWorkflow, lineOfError, showLine, type Workflow } from "@wf/core";
import { writeFailure } from "@wf/data";
import { WfError } from "@wf/protocol";
import { writeDocument } from "@wf/transport";
import { hostModuleOf, withHostModules } from "./host-module.ts";
import type { LoadedWorkflow } from "./loaded-workflow.ts";
import { locateBundle, sourceLineOf } from "./source-map-locator.ts";

export interface BundleSource {
  readonly bundle: string;
  /** The workflow's file, relative to the project. */
  readonly file: string;
  /** Of a bundle that was kept: what its keeper says of it. */
  readonly kept?: KeptBundle | undefined;
}

export interface KeptBundle {
  /** SHA-256 of the bundle when it was kept. */
  readonly hash: string;
  /** The plan's file, or the run. */
  readonly where: string;
  /** What to type where it is another one now. */
  readonly hint: string;
}

/**
 * Imports a bundle, fresh or stored. A stored one gives the workflow as it was, whatever became of the file.
 * `folder` is where the module is written to: `HASH.mjs`. Law: of a kept bundle that is not what its hash says, nothing
 * is run.
 */
export async function loadBundle({ bundle, file, kept }: BundleSource, folder: string): Promise<LoadedWorkflow> {
  const hash = createHash("sha256").update(bundle).digest("hex");
  if (kept !== undefined && kept.hash !== hash) {
    throw new WfError("WF_BUNDLE_CHANGED", `the code of ${file} is not what was saved: its hash is another one`, {
      where: kept.where,
      hint: kept.hint,
    });
  }
  const url = pathToFileURL(materialise(withHostModules(bundle), join(folder, `${hash}.mjs`))).href;
  locateBundle(url, bundle);
  const module = await importBundle(url, file);
  const workflow = defaultWorkflow(module, file);
  return { name: workflow.workflowName, file, bundle, hash, workflow };
}

function materialise(text: string, path: string): string {
  if (readIfThere(path) === text) return path;
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeDocument(path, text);
    return path;
  } catch (error) {
    throw writeFailure(error, "store", folder);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

async function importBundle(url: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(/* @vite-ignore */ url);
  } catch (error) {
    if (error instanceof WfError) throw error;
    throw missingExport(error, url, file) ?? threwAtImport(error, file);
  }
}

function threwAtImport(error: unknown, file: string): WfError {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new WfError("WF_WORKFLOW_THREW", `the workflow's file threw while it was loaded: ${message}`, {
    where: showLine(lineOfError(error)) ?? file,
    hint: "correct the code at that line",
    cause: error,
  });
}

/** Only Node sees a wrong name in `import { … } from "wf"`, since the module is not in the bundle. */
function missingExport(error: unknown, url: string, file: string): WfError | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  const [, from = "", name = ""] =
    /The requested module '([^']+)' does not provide an export named '([^']+)'/.exec(error.message) ?? [];
  const module = hostModuleOf(from);
  if (module === undefined) return undefined;
  const line = Number((error.stack ?? "").split("\n", 1)[0]?.split(":").at(-1));
  return new WfError("WF_WORKFLOW_LOAD", `"${module}" has no export called "${name}"`, {
    where: showLine(sourceLineOf(url, line, 0)) ?? file,
    hint: "correct the name; editors complete the right ones, and `wf check` finds such slips",
  });
}

function defaultWorkflow(module: Readonly<Record<string, unknown>>, file: string): Workflow {
  const value = module.default;
  if (isWorkflow(value)) return value;
  const other = Object.keys(module).find((name) => isWorkflow(module[name]));
  const what =
    value === undefined ? "has no default export" : `exports ${describe(value)} as its default, not a workflow`;
  throw new WfError("WF_WORKFLOW_NO_DEFAULT", `the file ${what}`, {
    where: file,
    hint:
      other === undefined
        ? "write: export default workflow({ name, build })"
        : `it has a workflow called "${other}"; write: export default ${other}`,
  });
}

function describe(value: unknown): string {
  if (typeof value === "function") return "declaration" in value ? "a task" : "a function";
  if (value instanceof Promise) return "a promise";
  if (value === null || Array.isArray(value)) return value === null ? "null" : "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
