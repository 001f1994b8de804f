import { resolve } from "node:path";
import type { Graph } from "@wf/core";
import { stageGraph } from "@wf/planner";
import { WfError } from "@wf/protocol";
import {
  type Finding,
  findProject,
  inspectWorkflow,
  lintGraph,
  type Project,
  refreshEditorConfig,
  typeCheck,
} from "@wf/run";
import type { CheckOptions } from "../command-options.ts";
import { givenParams } from "../running/given-params.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";
import { showFinding } from "../view/show-finding.ts";

/**
 * Types first, then the graph, then slips. The graph is built although types are wrong: its errors often say in one
 * line what the compiler says in ten.
 */
export async function check(file: string, options: CheckOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const project = findProject(file, options.store);
  const built = await buildGraph(file, project, options);
  refreshEditorConfig(project.root);
  const wrongTypes = typeCheck(resolve(file), project.root);
  if (wrongTypes.length > 0) {
    report(screen, [...wrongTypes, ...(built instanceof WfError ? [toFinding(built)] : [])], options.json === true);
    throw new WfError("WF_TYPE_CHECK", `${many(wrongTypes.length, "type error")} in ${file}`, {
      hint: `correct the lines above, then: wf check ${file}`,
    });
  }
  if (built instanceof WfError) throw built;
  const warnings = lintGraph(built.graph, built.file);
  report(screen, warnings, options.json === true);
  const { workflow } = built.graph;
  const stages = stageGraph(built.graph).order.length;
  if (options.json === true) {
    printJson(screen, { type: "check.finished", file: built.file, workflow, stages, warnings: warnings.length });
  } else {
    printLines(screen, [summary(screen, built.file, workflow, stages, warnings.length)]);
  }
  return 0;
}

/** What is wrong with it is returned, to be told after the types; that there is no such file is told at once. */
async function buildGraph(
  path: string,
  project: Project,
  options: CheckOptions,
): Promise<{ graph: Graph; file: string } | WfError> {
  try {
    const { workflow, file } = await inspectWorkflow(path, project);
    return { graph: workflow.toGraph(givenParams(options, workflow)), file };
  } catch (error) {
    if (!(error instanceof WfError) || error.code === "WF_FILE_NOT_FOUND") throw error;
    return error;
  }
}

function toFinding({ code, message, where, hint }: WfError): Finding {
  return { severity: "error", code, message, file: where, hint };
}

function report(screen: Screen, findings: readonly Finding[], isJson: boolean): void {
  for (const finding of findings) {
    const { excerpt: _, ...plain } = finding;
    if (isJson) printJson(screen, { type: "check.finding", ...plain });
    else printLines(screen, [...showFinding(finding, screen.colours), ""]);
  }
}

function summary({ colours }: Screen, file: string, workflow: string, stages: number, warnings: number): string {
  const slips = warnings === 0 ? "" : `, ${many(warnings, "warning")}`;
  return `${colours.green("ok")} ${file}: workflow "${workflow}", ${many(stages, "stage")}${slips}`;
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
