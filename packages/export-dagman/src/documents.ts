import type { ColumnKinds } from "@wf/core";
import type { JobSpec, RuntimeWish, TaskSpec, Value } from "@wf/protocol";

/** What the launcher's `dag` commands read. Their Python side is `wf_launcher/dag`. */
export const DAG_VERSION = 1;

/** How a value is found on the site's storage when the tasks that it stands on have run. */
export type Formula =
  | { readonly value: Value }
  | { readonly list: readonly Formula[] }
  | { readonly op: "output" | "metric"; readonly task: string; readonly name: string }
  | { readonly op: "field"; readonly of: Formula; readonly name: string }
  | { readonly op: "items" | "flat" | "present"; readonly of: Formula }
  | { readonly op: "column"; readonly of: Formula; readonly column: string }
  | { readonly op: "pick"; readonly of: Formula; readonly columns: readonly string[] }
  | { readonly op: "merge"; readonly of: Formula; readonly columns: ColumnKinds }
  | { readonly op: "table"; readonly of: { readonly [column: string]: Formula }; readonly columns: ColumnKinds }
  | { readonly op: "else"; readonly of: Formula; readonly otherwise: Formula };

export interface LaterInput {
  readonly from: Formula;
  readonly how: "link" | "copy";
  /** Nothing is an empty list. */
  readonly isMany: boolean;
}

/** A task as the launcher is handed it, but for what other tasks have to make first. */
export interface NodeTask extends Omit<TaskSpec, "attempt"> {
  /** They are names between NUL bytes in `argv`, as in a workflow's own command. */
  readonly later: {
    readonly inputs: { readonly [name: string]: LaterInput };
    readonly params: { readonly [name: string]: Formula };
  };
  /** Metrics that it has to report. */
  readonly metrics: readonly string[];
  /** Which secret each variable holds. */
  readonly secretNames: { readonly [variable: string]: string };
  /** The key of the runtime whose folder goes first on its PATH. */
  readonly runtime?: string;
}

/** `nodes/NAME.json`: one job of one or more tasks. */
export interface NodeDocument extends Omit<JobSpec, "version" | "storage" | "tasks"> {
  readonly version: typeof DAG_VERSION;
  readonly tasks: readonly NodeTask[];
}

/** `gather.json`: what must have ended well, and what a person wants to see of it. */
export interface GatherDocument {
  readonly version: typeof DAG_VERSION;
  readonly run: string;
  readonly tasks: readonly string[];
  readonly outputs: { readonly [path: string]: Formula };
  readonly metrics: { readonly [name: string]: Formula };
}

/** `runtimes/KEY.json`: what the Python of some tasks must offer. */
export type WishDocument = RuntimeWish & { readonly python: string | null };

/** Stands in `env` for the folder in which a task runs. */
export const SANDBOX = "\0sandbox\0";
