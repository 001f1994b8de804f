import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RuntimeWish, WfError } from "@wf/protocol";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { readRequirementsFile } from "./requirements-file.ts";
import { readSmallFile } from "./small-file.ts";

/** A folder of Python code, as a task names it with `python(…)`. */
export interface PythonProject {
  /** The folder that holds its modules: `src`, or the project itself. */
  readonly code: string;
  /** Null where the site's python3 will do, whichever it is. */
  readonly wish: RuntimeWish | null;
}

const Pyproject = z.object({
  project: z
    .object({
      dependencies: z.array(z.string()).optional(),
      "requires-python": z.string().optional(),
    })
    .optional(),
  tool: z.object({ poetry: z.object({ dependencies: z.unknown().optional() }).optional() }).optional(),
});

/**
 * Reads what a project requires: `[project]` of its `pyproject.toml`, else its `requirements.txt`, else nothing.
 */
export function readPythonProject(folder: string): PythonProject {
  const pyproject = join(folder, "pyproject.toml");
  const requirementsFile = join(folder, "requirements.txt");
  const isPackaged = existsSync(pyproject);
  const { project, tool } = isPackaged ? readPyproject(pyproject) : {};
  const listed = existsSync(requirementsFile) ? readRequirementsFile(requirementsFile) : undefined;
  if (project?.dependencies === undefined && listed === undefined && tool?.poetry?.dependencies !== undefined) {
    throw new WfError("WF_RUNTIME_INVALID", "the dependencies are written for poetry alone", {
      where: pyproject,
      hint: "write them as dependencies of [project] too, or into requirements.txt",
    });
  }
  const requirements = [...(project?.dependencies ?? listed ?? [])].map((line) => line.trim()).sort();
  const requiresPython = project?.["requires-python"] ?? null;
  const source = join(folder, "src");
  return {
    code: isPackaged && existsSync(source) ? source : folder,
    wish:
      requirements.length === 0 && requiresPython === null ? null : { requirements, requiresPython, project: folder },
  };
}

function readPyproject(file: string): z.infer<typeof Pyproject> {
  try {
    return Pyproject.parse(parse(readSmallFile(file)));
  } catch (cause) {
    const line = cause instanceof TomlError ? `:${cause.line}` : "";
    throw new WfError("WF_RUNTIME_INVALID", `pyproject.toml cannot be used: ${whyUnusable(cause)}`, {
      where: `${file}${line}`,
      hint: 'write it as Python does: [project] with dependencies = ["numpy>=1.21"] and requires-python = ">=3.9"',
      cause,
    });
  }
}

function whyUnusable(cause: unknown): string {
  if (cause instanceof z.ZodError) {
    const [issue] = cause.issues;
    return `${issue?.path.join(".")}: ${issue?.message}`;
  }
  return ((cause as Error).message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
}
