import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, ContractSession } from "@wf/backend/contract";
import type { ClusterBackend } from "@wf/backend-cluster";

/** What cases wait for comes at once. */
export const QUICK = { batchWindow: 0.05, poll: { every: 1, atMost: 5 }, budget: { commands: 1000 } } as const;

export interface Stage {
  readonly harness: BackendHarness;
  readonly session: ContractSession;
  readonly backend: ClusterBackend;
}

/** A backend on a storage of its own, for one case. */
export async function onStageOf(harness: BackendHarness, act: (stage: Stage) => Promise<void>): Promise<void> {
  const backend = harness.create() as ClusterBackend;
  const session = new ContractSession(backend);
  try {
    await session.open();
    await act({ harness, session, backend });
  } finally {
    await session.clear();
    await harness.dispose();
  }
}

type RunThere = Pick<BackendHarness, "run" | "storage">;

export function submissionsOf({ storage, run }: RunThere): string {
  return join(storage, "runs", run, "submissions");
}

/** What the scheduler calls the submissions of a run. */
export function submittedIds(there: RunThere): readonly string[] {
  const root = submissionsOf(there);
  const tokens = existsSync(root) ? readdirSync(root) : [];
  const ids = tokens.map((token) => join(root, token, "id"));
  return ids.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
}
