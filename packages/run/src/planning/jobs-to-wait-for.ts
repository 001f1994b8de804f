import { WfError } from "@wf/protocol";
import type { NamedSite } from "@wf/site";

/** As sbatch takes them behind `afterok`: `1234`, `1234_5`. */
const JOB = /^\d+(_\d+)?$/;

/** The jobs of `--after`, checked. */
export function jobsToWaitFor(jobs: readonly string[], { name, backend }: NamedSite): readonly string[] {
  const wrong = jobs.find((job) => !JOB.test(job));
  if (wrong !== undefined) {
    throw new WfError("WF_USAGE", `--after wants the number of a job, not ${JSON.stringify(wrong)}`, {
      hint: "squeue --me lists yours, as in: --after 1234, or of an array --after 1234_5",
    });
  }
  if (jobs.length > 0 && backend !== "slurm") {
    const why =
      backend === "htcondor" ? "HTCondor lets a job wait for another one only inside a DAG" : "it has no queue of jobs";
    throw new WfError("WF_USAGE", `--after cannot be used on ${name}: ${why}`, {
      where: `site ${name}`,
      hint: "start the run when that job has ended, or make what it does a task of the workflow",
    });
  }
  return jobs;
}
