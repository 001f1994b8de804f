/**
 * The static part of a plan as files for HTCondor's DAGMan, for pools where wf itself is not wanted.
 *
 * ```ts
 * const { files, content, leftOut } = await exportDagman({ graph, plan, site, inputs, ops, … });
 * leftOut.map(({ stage, reason }) => `${stage} ${reasonText(reason)}`);
 * ```
 */
export { type ExportedDag, type ExportRequest, exportDagman } from "./export-dagman.ts";
export { type LeftOutStage, reasonText } from "./left-out.ts";
export { LAUNCHER_FILE } from "./node-script.ts";
