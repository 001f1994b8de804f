import { type JobSpec, parseAttemptName, submissionName, submissionToken } from "@wf/protocol";
import { batchJobs } from "./batch-jobs.ts";
import { type HiddenSecrets, hideSecrets } from "./hide-secrets.ts";
import type { Fit, Submission } from "./submission.ts";

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
  const tasks = jobs.flatMap((job) => job.tasks.map(({ task }) => task));
  const attempts = jobs.map(({ tasks }) => tasks.map(({ attempt }) => attempt));
  const token = submissionToken([jobs[0]?.storage ?? null, run, attempts]);
  return { token, name: submissionName(run, tasks, token), jobs, request, secrets };
}

function isRetry({ tasks }: JobSpec): boolean {
  return tasks.some(({ attempt }) => (parseAttemptName(attempt)?.number ?? 1) > 1);
}
