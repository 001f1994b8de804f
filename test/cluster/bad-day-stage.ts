import type { BackendHarness } from "@wf/backend/contract";
import { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import { onStageOf, QUICK, type Stage, submittedIds } from "../clusters/bad-day-stage.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { slurm } from "../clusters/slurm-daemons.ts";
import { newHarness } from "./slurm-harness.ts";

/** A backend with settings of its own on a storage of its own, for one case. */
export async function onStage(
  cluster: SlurmCluster,
  transport: Transport,
  settings: object,
  act: (stage: Stage) => Promise<void>,
): Promise<void> {
  const parsed = SlurmSettings.parse({ ...QUICK, ...settings });
  await onStageOf(newHarness(cluster, transport, parsed), act);
}

/** The first job of a run, or, with -1, the last one. */
export function jobId(harness: BackendHarness, position = 0): string {
  const ids = submittedIds(harness).toSorted((a, b) => Number(a) - Number(b));
  return ids.at(position) as string;
}

export function stillQueued(harness: BackendHarness): readonly string[] {
  const ids = new Set(submittedIds(harness));
  return slurm("squeue", "-h", "-t", "pending,running", "-o", "%F")
    .split("\n")
    .filter((id) => ids.has(id));
}
