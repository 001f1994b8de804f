import { type JobSpec, sha256 } from "@wf/protocol";
import { batchJobs } from "./batch-jobs.ts";
import { type HiddenSecrets, hideSecrets } from "./hide-secrets.ts";
import type { Fit, Submission } from "./submission.ts";
import { submissionName } from "./submission-name.ts";

export interface Misfit {
  readonly job: JobSpec;
  readonly message: string;
}

/** What has to be submitted for jobs that became ready together, and which of them could never run on the site. */
export function planSubmissions<Request>(
  run: string,
  jobs: readonly JobSpec[],
  system: { readonly largestSubmission: number; fit(job: JobSpec): Fit<Request> },
): { readonly submissions: readonly Submission<Request>[]; readonly misfits: readonly Misfit[] } {
  const misfits: Misfit[] = [];
  const fitting: Fitting<Request>[] = [];
  for (const job of jobs) {
    const found = system.fit(job);
    if (found.type === "none") misfits.push({ job, message: found.message });
    else fitting.push({ request: found.request, ...hideSecrets(job) });
  }
  const batches = batchJobs(fitting, {
    likeness: ({ request, secrets }) => JSON.stringify([request, Object.entries(secrets).sort()]),
    isRetry: ({ job }) => isRetry(job),
    largest: system.largestSubmission,
  });
  return { misfits, submissions: batches.map((batch) => submissionOf(run, batch)) };
}

interface Fitting<Request> extends HiddenSecrets {
  readonly request: Request;
}

function submissionOf<Request>(run: string, batch: readonly Fitting<Request>[]): Submission<Request> {
  const { request, secrets } = batch[0] as Fitting<Request>;
  const jobs = batch.map(({ job }) => job);
  const attempts = jobs.map(({ tasks }) => tasks.map(({ attempt }) => attempt));
  const token = sha256(JSON.stringify([jobs[0]?.storage, run, attempts])).slice(0, 16);
  return { token, name: submissionName(run, jobs, token), jobs, request, secrets };
}

/** The engine calls an attempt `TASK@NUMBER`. */
function isRetry({ tasks }: JobSpec): boolean {
  return tasks.some(({ attempt }) => Number(/@(\d+)$/.exec(attempt)?.[1] ?? 1) > 1);
}
