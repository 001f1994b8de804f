import { type Graph, showLine } from "@wf/core";
import { WfError } from "@wf/protocol";

/** Refuses before anything runs: a task that gets no secret would break the run when its turn comes, hours later. */
export function checkSecrets(graph: Graph, env: NodeJS.ProcessEnv): void {
  for (const node of graph.nodes.values()) {
    if (node.kind !== "task") continue;
    for (const value of Object.values(node.declaration.env)) {
      if (typeof value === "string" || env[value.secret] !== undefined) continue;
      throw new WfError("WF_USAGE", `the secret ${value.secret} is not in the environment`, {
        where: `task "${node.id}"${node.at ? ` (${showLine(node.at)})` : ""}`,
        hint: `export ${value.secret}=… before you start wf`,
      });
    }
  }
}
