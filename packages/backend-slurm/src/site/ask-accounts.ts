import type { Account } from "@wf/protocol";
import type { RunResult, Transport } from "@wf/transport";
import { ACCOUNT_COLUMNS, parseAccounts } from "../parsing/parse-accounts.ts";

/** A command line has its limits. */
const MOST_IDS = 500;

/** What SLURM's accounting says of jobs that are over; nothing where it cannot be asked. An array is asked for as one. */
export async function askAccounts(
  jobs: readonly string[],
  command: (argv: readonly [string, ...string[]]) => Promise<RunResult>,
): Promise<ReadonlyMap<string, Account>> {
  const ids = [...new Set(jobs.map((job) => job.split("_")[0] as string))];
  const accounts = new Map<string, Account>();
  for (let first = 0; first < ids.length; first += MOST_IDS) {
    const some = ids.slice(first, first + MOST_IDS).join(",");
    const { code, stdout } = await command(["sacct", "-PnD", "-j", some, "-o", ACCOUNT_COLUMNS.join(",")]);
    if (code !== 0) break;
    for (const [job, account] of parseAccounts(stdout)) accounts.set(job, account);
  }
  return accounts;
}

/** The same for whoever only looks. */
export async function slurmAccounts(
  transport: Transport,
  jobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Account>> {
  return await askAccounts(jobs, (argv) => transport.run({ argv, env: { TZ: "UTC" }, isRepeatable: true }, signal));
}
