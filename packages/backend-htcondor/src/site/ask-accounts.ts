import type { Account } from "@wf/protocol";
import type { RunResult, Transport } from "@wf/transport";
import { accountOfRow } from "../ending/account-of-row.ts";
import { parseRows } from "../parsing/parse-rows.ts";
import { questionAbout } from "./pool-watch.ts";

/** What HTCondor's history says of jobs that are over; nothing where it cannot be asked. */
export async function askAccounts(
  jobs: readonly string[],
  command: (argv: readonly [string, ...string[]]) => Promise<RunResult>,
): Promise<ReadonlyMap<string, Account>> {
  const rows = parseRows(await command(questionAbout("condor_history", jobs))) ?? [];
  return new Map(rows.map((row) => [row.job, accountOfRow(row)]));
}

/** The same for whoever only looks. */
export async function htcondorAccounts(
  transport: Transport,
  jobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Account>> {
  return await askAccounts(jobs, (argv) => transport.run({ argv, isRepeatable: true }, signal));
}
