import type { JobEnding } from "@wf/backend-cluster";
import { WfError } from "@wf/protocol";
import type { Transport } from "@wf/transport";
import { endingOf } from "../condor-system.ts";
import { endOfRow } from "../ending/end-of-row.ts";
import { parseRows } from "../parsing/parse-rows.ts";
import { questionAbout } from "./pool-watch.ts";

/** A command line has its limits. */
const MOST_JOBS = 500;

/** How jobs ended that have left the queue. Those that the history does not know are left out. */
export async function htcondorEndings(
  transport: Transport,
  jobs: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly JobEnding[]>> {
  const endings = new Map<string, JobEnding[]>();
  for (let first = 0; first < jobs.length; first += MOST_JOBS) {
    const argv = questionAbout("condor_history", jobs.slice(first, first + MOST_JOBS));
    const result = await transport.run({ argv, isRepeatable: true }, signal);
    const rows = parseRows(result);
    if (rows === null) {
      throw new WfError("WF_SITE_COMMAND", `the history of HTCondor cannot be read: ${result.stderr.trim()}`, {
        where: `${transport.name}: condor_history`,
        hint: "try again later",
      });
    }
    for (const row of rows) {
      const end = endOfRow(row);
      if (end !== null) endings.set(row.job, [endingOf(end)]);
    }
  }
  return endings;
}
