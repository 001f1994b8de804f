import type { Graph } from "@wf/core";
import type { ObjectStore } from "@wf/data";
import type { StagePlan } from "@wf/planner";
import type { Value } from "@wf/protocol";
import type { Store } from "@wf/store";
import type { RunSettings } from "../planning/run-settings.ts";

/** A run that is in the store and planned, new or to be resumed: all that executing it takes. */
export interface StartedRun {
  readonly run: string;
  readonly settings: RunSettings;
  readonly store: Store;
  readonly objects: ObjectStore;
  readonly graph: Graph;
  readonly plan: StagePlan;
  readonly inputs: Readonly<Record<string, Value>>;
  /** SHA-256 of the bundle, which lies in the store's `bundles`. */
  readonly bundleHash: string;
  readonly siteName: string;
}
