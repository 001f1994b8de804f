/**
 * Runs jobs on an HTCondor pool: what its event log and its commands say, and what follows from it.
 *
 * ```ts
 * const { events } = parseEvents(log);
 * const { jobs, events: news } = observeEvents(watched, events, Date.now());
 * ```
 */
export { accountOfRow } from "./ending/account-of-row.ts";
export { adviceForHold, classifyHold, HOLD_CLASSES, type HoldClass } from "./ending/classify-hold.ts";
export { failureOfEnd } from "./ending/failure-of-end.ts";
export type { JobEnd } from "./ending/job-end.ts";
export { type CondorSubmitAnswer, parseCondorSubmit } from "./parsing/parse-condor-submit.ts";
export { INFORMATION_ATTRIBUTES, parseEvents } from "./parsing/parse-events.ts";
export { type JobRow, parseRows, ROW_ATTRIBUTES } from "./parsing/parse-rows.ts";
export type { Hold, JobInformation, PoolEvent } from "./parsing/pool-event.ts";
export { type PoolCapacity, poolCapacity } from "./survey/pool-capacity.ts";
export {
  CONDOR_QUESTIONS,
  type CondorAnswers,
  type CondorSurvey,
  readCondorSurvey,
} from "./survey/survey-condor.ts";
export { observeEvents } from "./watching/observe-events.ts";
export { observeRows } from "./watching/observe-rows.ts";
export { NEWLY_SUBMITTED, type WatchEvent, type WatchedJobs } from "./watching/watched-job.ts";
