import { spawnSync } from "node:child_process";
import type { Place } from "./place.ts";

/** A cluster that was brought up by a recipe of test/clusters. */
interface BroughtUp {
  readonly folder: string;
  readonly recipe: string;
}

/** It goes with this process, however that ends. */
export function wipeAtExit({ recipe, folder }: BroughtUp): void {
  process.on("exit", () => spawnSync(recipe, ["wipe", folder], { stdio: "ignore" }));
}

/** What is drawn for a cluster, whatever its scheduler. */
export function roundsOn(
  { folder }: BroughtUp,
  hasClock: boolean,
): Pick<Place, "parent" | "limits" | "weights" | "pauses"> {
  return {
    parent: folder,
    limits: { blocks: 5, width: 6, depth: 3 },
    weights: {
      "kill-wf": 10,
      "kill-launcher": 5,
      "kill-task": 5,
      "kill-all": 2,
      "kill-daemon": 1,
      cut: 2,
      "turn-clock": hasClock ? 1 : 0,
      gc: 1,
      "second-run": 1,
    },
    pauses: ["0.1", "0.5", "1"],
  };
}

/** Asks often, since a round is short. */
export const QUICK = { batchWindow: 0.05, poll: { every: 1, atMost: 2 }, budget: { commands: 1000 } };
