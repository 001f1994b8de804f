import { tmpdir } from "node:os";
import type { Place } from "./place.ts";
import { canMount } from "./small-disk.ts";

/** This machine, without a scheduler. */
export function localPlace({ hasClock }: { readonly hasClock: boolean }): Place {
  return {
    name: "local",
    parent: tmpdir(),
    limits: { blocks: 10, width: 8, depth: 4 },
    weights: {
      "kill-wf": 10,
      "kill-launcher": 6,
      "kill-task": 6,
      "kill-all": 3,
      "fill-disk": canMount() ? 1 : 0,
      "turn-clock": hasClock ? 1 : 0,
      gc: 1,
      "second-run": 1,
    },
    pauses: ["0.02", "0.1", "0.2"],
    site: () => ({ resources: { cpus: 3 } }),
    daemons: [],
    killDaemon: async () => undefined,
    cut: () => 0,
    queued: () => [],
    close: async () => undefined,
  };
}
