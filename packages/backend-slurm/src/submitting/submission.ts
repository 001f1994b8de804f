import type { JobSpec } from "@wf/backend";
import { sha256 } from "@wf/core";
import type { SlurmPartition, SlurmSettings } from "@wf/site";
import { batchJobs } from "./batch-jobs.ts";
import { choosePartition } from "./choose-partition.ts";
import { type HiddenSecrets, hideSecrets } from "./hide-secrets.ts";
import { type JobRequest, requestOf } from "./job-request.ts";

/** One call of sbatch: a job, or an array whose elements are jobs that ask for the same. */
export interface Submission {
  /** The same jobs on the same storage have the same one, so that who submits them again is known. */
  readonly token: string;
  /** What SLURM knows it by. */
  readonly name: string;
  /** By index. Values of secrets are not in them. */
  readonly jobs: readonly JobSpec[];
  readonly request: JobRequest;
  readonly partition: SlurmPartition | null;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface Misfit {
  readonly job: JobSpec;
  readonly message: string;
}

/** What has to be submitted for jobs that became ready together, and which of them could never run on the site. */
export function planSubmissions(
  run: string,
  jobs: readonly JobSpec[],
  settings: SlurmSettings,
): { readonly submissions: readonly Submission[]; readonly misfits: readonly Misfit[] } {
  const misfits: Misfit[] = [];
  const fitting: Fitting[] = [];
  for (const job of jobs) {
    const request = requestOf(job);
    const choice = choosePartition(request, settings.partitions);
    if (choice.type === "none") misfits.push({ job, message: choice.message });
    else fitting.push({ request, partition: choice.partition, ...hideSecrets(job) });
  }
  const batches = batchJobs(fitting, {
    likeness: ({ request, partition, secrets }) =>
      JSON.stringify([request, partition?.name, Object.entries(secrets).sort()]),
    isRetry: ({ job }) => isRetry(job),
    largest: settings.limits.arraySize,
  });
  return { misfits, submissions: batches.map((batch) => submissionOf(run, batch)) };
}

interface Fitting extends HiddenSecrets {
  readonly request: JobRequest;
  readonly partition: SlurmPartition | null;
}

function submissionOf(run: string, batch: readonly Fitting[]): Submission {
  const { request, partition, secrets } = batch[0] as Fitting;
  const jobs = batch.map(({ job }) => job);
  const attempts = jobs.map(({ tasks }) => tasks.map(({ attempt }) => attempt));
  const token = sha256(JSON.stringify([jobs[0]?.storage, run, attempts])).slice(0, 16);
  return { token, name: `wf-${run.replace(/[^\w.-]/g, "_")}-${token}`, jobs, request, partition, secrets };
}

/** The engine calls an attempt `TASK@NUMBER`. */
function isRetry({ tasks }: JobSpec): boolean {
  return tasks.some(({ attempt }) => Number(/@(\d+)$/.exec(attempt)?.[1] ?? 1) > 1);
}
