/**
 * What a workflow file imports.
 *
 * ```ts
 * import { file, task, workflow } from "wf";
 * ```
 */
export * from "@wf/run/workflow-names";
