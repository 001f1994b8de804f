/**
 * Runs jobs on a SLURM cluster, from its login node or over ssh.
 *
 * ```ts
 * const backend = slurmBackend({ run: "r1", storage: "/scratch/me/wf", settings, transport: localTransport() });
 * await backend.open((event) => console.log(event.type), signal);
 * ```
 */
export type { Association } from "./parsing/parse-associations.ts";
export type { PartitionFacts } from "./parsing/parse-partitions.ts";
export { type PartitionStatus, parseSinfo, SINFO_FORMAT } from "./parsing/parse-sinfo.ts";
export type { TestOnlyAnswer } from "./parsing/parse-test-only.ts";
export { slurmAccounts } from "./site/ask-accounts.ts";
export { slurmEndings } from "./site/ask-endings.ts";
export { type SlurmBackendOptions, slurmBackend } from "./slurm-backend.ts";
export { type PartitionCapacity, partitionCapacity } from "./survey/partition-nodes.ts";
export {
  readSlurmSurvey,
  SLURM_PROLOGUE,
  SLURM_QUESTIONS,
  type SlurmAnswers,
  type SlurmSurvey,
} from "./survey/survey-slurm.ts";
export { type TriedPartition, trySubmissions } from "./survey/try-submission.ts";
