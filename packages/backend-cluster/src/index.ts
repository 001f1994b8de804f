/**
 * What all schedulers of clusters have in common: jobs are handed over once, heard of through their records, and given
 * up only when they are proven to be dead. A scheduler is a `BatchSystem`.
 *
 * ```ts
 * const backend = new ClusterBackend({ name: "slurm", run, capabilities, system, login, commands, windowMs: 200 });
 * await backend.open((event) => console.log(event.type), signal);
 * ```
 */
export type {
  BatchSystem,
  CancelHow,
  JobPhase,
  LogNews,
  SubmitAnswer,
  SystemEvent,
} from "./batch-system.ts";
export { ClusterBackend, type RefusedJob } from "./cluster-backend.ts";
export { nextPollMs, type PollSchedule } from "./commands/poll-schedule.ts";
export { type RunOnLoginNode, SchedulerCommands } from "./commands/scheduler-commands.ts";
export { bySubmission, type Element } from "./element.ts";
export { type JobEnding, type JobExit, type JobFailure, unknownEnding } from "./job-ending.ts";
export { judgePast, type PastSuccess, type PastVerdict } from "./judge-past.ts";
export { LoginNode, type LookReply } from "./login-node.ts";
export type { PilotEnd, Pool, PoolHooks } from "./pool.ts";
export type { QueueState } from "./queue-state.ts";
export type { Fit, Submission } from "./submitting/submission.ts";
