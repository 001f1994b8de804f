import type { JobEnding } from "@wf/backend-cluster";
import { WfError } from "@wf/protocol";
import type { Transport } from "@wf/transport";
import { endFromAccounting } from "../ending/job-end.ts";
import { showJobId } from "../parsing/job-id.ts";
import { FINAL_STATES, type JobState } from "../parsing/job-state.ts";
import { type AccountingRow, parseSacct, SACCT_COLUMNS } from "../parsing/parse-sacct.ts";
import { endingOf } from "../slurm-system.ts";

/** A command line has its limits. */
const MOST_IDS = 500;

/** How jobs ended that are long over, each in all of its lives. Those that accounting does not know are left out. */
export async function slurmEndings(
  transport: Transport,
  jobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly JobEnding[]>> {
  const ids = [...new Set(jobs.map((job) => job.split("_")[0] as string))];
  const endings = new Map<string, JobEnding[]>();
  for (let first = 0; first < ids.length; first += MOST_IDS) {
    const some = ids.slice(first, first + MOST_IDS).join(",");
    const argv = ["sacct", "-XPnD", "-j", some, "-o", SACCT_COLUMNS.join(",")] as const;
    const { code, stdout, stderr } = await transport.run({ argv, env: { TZ: "UTC" }, isRepeatable: true }, signal);
    if (code !== 0) {
      throw new WfError("WF_SITE_COMMAND", `the accounting of SLURM does not answer: ${stderr.trim()}`, {
        where: `${transport.name}: sacct`,
        hint: "try again later",
      });
    }
    for (const row of parseSacct(stdout).filter(isOver)) {
      for (const id of row.jobs) {
        const job = showJobId(id);
        endings.set(job, [...(endings.get(job) ?? []), endingOf(endFromAccounting(row))]);
      }
    }
  }
  return endings;
}

function isOver(row: AccountingRow): row is AccountingRow & { readonly state: JobState } {
  return row.state !== null && FINAL_STATES.has(row.state);
}
