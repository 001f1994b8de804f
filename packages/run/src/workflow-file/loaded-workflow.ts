import type { Workflow } from "@wf/core";

/** A workflow that can be built, and the bundle that it came from. */
export interface LoadedWorkflow {
  /** The name that the workflow gives itself. */
  readonly name: string;
  /** The workflow's file, relative to the project. */
  readonly file: string;
  /** The bundled source with its source map: what a run stores, and what `loadBundle` takes. */
  readonly bundle: string;
  /** SHA-256 of the bundle. */
  readonly hash: string;
  readonly workflow: Workflow;
}
