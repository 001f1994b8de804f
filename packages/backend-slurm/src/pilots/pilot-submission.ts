import { queueName, shellLine, shellQuote, submissionToken } from "@wf/protocol";
import { type PilotSettings, type SlurmPartition, type SlurmSettings, setupLines } from "@wf/site";
import { EXIT_FENCED, EXIT_NO_STORAGE } from "../ending/failure-of-end.ts";
import { directives } from "../submitting/directives.ts";
import type { JobRequest } from "../submitting/job-request.ts";
import { workingSeconds } from "./pilot-terms.ts";

export interface PilotPlace {
  readonly run: string;
  readonly storage: string;
  readonly python: string;
  readonly launcher: string;
}

export function pilotRequest({ cpus, memory, gpus, time }: PilotSettings): JobRequest {
  return { cpus, memoryBytes: memory, gpus, timeSeconds: time, nodes: 1, ranksPerNode: 1 };
}

/** What SLURM knows a pilot by. */
export function pilotJobName({ run, storage }: PilotPlace, token: string): string {
  return queueName("pilot", run, submissionToken([storage, run, token]));
}

/** Lies in the place of a job, and carries no tasks: those are in the mailbox. */
export function pilotJob(token: string, settings: PilotSettings): object {
  const { cpus, memory, gpus, idle } = settings;
  return {
    job: token,
    tasks: [],
    ...{ cpus, memoryBytes: memory, gpus, idleSeconds: idle, timeSeconds: workingSeconds(settings) },
  };
}

/** Law: a pilot runs at most once, as every element does: see submit-script.ts. */
export function pilotScript(
  place: PilotPlace & { readonly folder: string },
  pilot: {
    readonly token: string;
    readonly partition: SlurmPartition | null;
    readonly request: JobRequest;
    readonly settings: SlurmSettings;
    readonly excludedNodes: readonly string[];
    readonly after: readonly string[];
  },
): string {
  const { run, storage, python, launcher, folder } = place;
  const { token, settings } = pilot;
  const described = { ...pilot, name: pilotJobName(place, token), elements: 1 };
  return `${[
    `#!${settings.shell}`,
    ...directives(described).map((directive) => `#SBATCH ${directive}`),
    "",
    "# Made by wf: a pilot, which works off the jobs in the mailbox of its run.",
    `cd ${shellQuote(folder)} || exit ${EXIT_NO_STORAGE}`,
    `mkdir started/0 || exit ${EXIT_FENCED}`,
    ...setupLines(settings.setup),
    `exec ${shellLine([python, "-I", "-S", launcher, "pilot", storage, run, token, "jobs/0.json"])}`,
  ].join("\n")}\n`;
}
