import { WfError } from "@wf/core";
import type { Transport } from "@wf/transport";

/** The names of all jobs that wait or run. A SLURM that does not answer is an error: absence is no proof. */
export async function slurmQueuedJobs(transport: Transport, signal: AbortSignal): Promise<readonly string[]> {
  const argv = ["squeue", "-h", "-o", "%j"] as const;
  const { code, stdout, stderr } = await transport.run(
    { argv, isRepeatable: true, maxOutputBytes: MOST_BYTES },
    signal,
  );
  if (code === 0) return [...new Set(stdout.split("\n").filter(Boolean))];
  throw new WfError("WF_SITE_COMMAND", `SLURM does not say which jobs it has: ${stderr.trim()}`, {
    where: `${transport.name}: ${argv.join(" ")}`,
    hint: "try again later; look with: wf doctor --site …",
  });
}

const MOST_BYTES = 256 * 2 ** 20;
