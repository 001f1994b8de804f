import type { JobEnding } from "@wf/backend-cluster";
import { htcondorEndings } from "@wf/backend-htcondor";
import { slurmEndings } from "@wf/backend-slurm";
import type { RunSite } from "../planning/run-settings.ts";
import { openTransport } from "./open-transport.ts";

export type ClusterSite = Exclude<RunSite, { backend: "local" }>;

/** How jobs of a cluster ended, each in all of its lives, as far as its accounting still knows. */
export async function askEndings(
  site: ClusterSite,
  jobs: readonly string[],
  note: (text: string) => void,
): Promise<ReadonlyMap<string, readonly JobEnding[]>> {
  const transport = openTransport(site, note);
  try {
    const endings = site.backend === "slurm" ? slurmEndings : htcondorEndings;
    return await endings(transport, jobs, new AbortController().signal);
  } finally {
    await transport.close();
  }
}
