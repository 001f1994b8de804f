import type { RuntimeWish } from "@wf/protocol";
import type { Project } from "@wf/run";
import { inspectWorkflow, pythonProjects, wishesOf } from "@wf/run";

/** What a workflow with its default parameters needs of Python. */
export async function workflowWishes(file: string, project: Project): Promise<RuntimeWish[]> {
  const { workflow } = await inspectWorkflow(file, project);
  return [...wishesOf(pythonProjects(workflow.toGraph({}), project.root)).values()];
}
