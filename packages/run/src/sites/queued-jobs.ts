import { WfError } from "@wf/protocol";
import type { NamedSite } from "@wf/site";
import type { Transport } from "@wf/transport";

/** What a scheduler says of all jobs that it has, one a line: the name of a submission, or its token. */
const COMMANDS = {
  slurm: ["squeue", "-h", "-o", "%j"],
  htcondor: ["condor_q", "-allusers", "-constraint", "WfToken =!= undefined", "-af", "WfToken"],
} as const;
const MOST_BYTES = 256 * 2 ** 20;

/** Which submissions have jobs that wait or run. A scheduler that does not answer is an error: absence is no proof. */
export async function queuedJobs(
  { name, backend }: NamedSite,
  transport: Transport,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (backend === "local") return [];
  const argv = COMMANDS[backend];
  const said = await transport.run({ argv, isRepeatable: true, maxOutputBytes: MOST_BYTES }, signal);
  if (said.code === 0) return [...new Set(said.stdout.split("\n").filter(Boolean))];
  throw new WfError("WF_SITE_COMMAND", `the scheduler does not say which jobs it has: ${said.stderr.trim()}`, {
    where: `${transport.name}: ${argv.join(" ")}`,
    hint: `try again later; look with: wf doctor --site ${name}`,
  });
}
