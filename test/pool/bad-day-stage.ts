import { execFileSync } from "node:child_process";
import type { BackendHarness } from "@wf/backend/contract";
import { HtcondorSettings, type Placement } from "@wf/site";
import type { Transport } from "@wf/transport";
import { onStageOf, QUICK, type Stage, submittedIds } from "../clusters/bad-day-stage.ts";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { newHarness } from "./condor-harness.ts";

/** Settings of htcondor, and how files reach its jobs. */
export interface PoolWish {
  readonly placement?: Placement;
  readonly [setting: string]: unknown;
}

/** A backend with settings of its own on a storage of its own, for one case. */
export async function onStage(
  pool: CondorPool,
  transport: Transport,
  { placement = "shared", ...settings }: PoolWish,
  act: (stage: Stage) => Promise<void>,
): Promise<void> {
  const parsed = HtcondorSettings.parse({ ...QUICK, ...settings });
  await onStageOf(newHarness(pool, transport, placement, parsed), act);
}

/** Where the tests have put HTCondor's commands on the PATH. */
export function condor(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Of a run whose submissions are all of one job. */
export function jobId(harness: BackendHarness): string {
  return `${submittedIds(harness)[0]}.0`;
}

export function stillQueued(harness: BackendHarness): readonly string[] {
  const ids = submittedIds(harness);
  return condor("condor_q", ...ids, "-af:j", "JobStatus")
    .split("\n")
    .filter(Boolean);
}
