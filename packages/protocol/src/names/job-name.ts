import { type AttemptName, parseAttemptName } from "./attempt-name.ts";
import { notAName } from "./task-name.ts";

/** `job`: what a backend is handed. `fn`: TypeScript that runs beside the engine. */
const JOB_KINDS = ["job", "fn"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** A job bears the name of the first attempt that it carries: `job-train@2`. */
export interface JobName {
  readonly kind: JobKind;
  readonly first: AttemptName;
}

/** `firstAttempt` is one that `attemptName` has made. */
export function jobName(kind: JobKind, firstAttempt: string): string {
  const name = `${kind}-${firstAttempt}`;
  if (parseJobName(name) === undefined) throw notAName("job", name);
  return name;
}

/** What a job of a plan is called, of which nobody knows yet at which try it will run. */
export function plannedJobName(firstTask: string): string {
  return `job-${firstTask}`;
}

/** Undefined for what is not the name of a job that was handed over. */
export function parseJobName(text: string): JobName | undefined {
  const kind = JOB_KINDS.find((one) => text.startsWith(`${one}-`));
  const first = kind === undefined ? undefined : parseAttemptName(text.slice(kind.length + 1));
  return kind === undefined || first === undefined ? undefined : { kind, first };
}
