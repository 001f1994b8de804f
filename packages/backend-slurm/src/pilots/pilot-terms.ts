import type { JobSpec } from "@wf/protocol";
import type { PilotSettings } from "@wf/site";
import { jobTimeSeconds } from "../submitting/job-time.ts";

/** So that it has left before SLURM ends it. */
const LEAVES_EARLY_SECONDS = 60;

/** How long a pilot works: a little less than its job may take. */
export function workingSeconds({ time }: PilotSettings): number {
  return time - Math.min(LEAVES_EARLY_SECONDS, time / 10);
}

/**
 * Whether a job can go through the mailbox: a pilot has what it needs, for as long as it needs it. Values of secrets may
 * be in no file, and ranks on several nodes need nodes, so such jobs go their own way.
 */
export function fitsPilot(job: JobSpec, settings: PilotSettings): boolean {
  const { cpus, memoryBytes, gpus, tasks } = job;
  if (tasks.some(({ secrets = [], ranks }) => secrets.length > 0 || ranks !== undefined)) return false;
  if (cpus > settings.cpus || memoryBytes > settings.memory || gpus > settings.gpus) return false;
  return (jobTimeSeconds(job) ?? 0) <= workingSeconds(settings);
}

/** How many pilots are of use for jobs that ask for so many cpus together. */
export function pilotsWanted(cpus: number, settings: PilotSettings): number {
  return Math.min(settings.jobs, Math.ceil(cpus / settings.cpus));
}
