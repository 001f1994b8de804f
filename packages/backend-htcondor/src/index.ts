/**
 * Runs jobs on an HTCondor pool, from its submit host or over ssh.
 *
 * ```ts
 * const backend = htcondorBackend({ run: "r1", storage: "/home/me/wf", placement: "transfer", settings, transport });
 * await backend.open((event) => console.log(event.type), signal);
 * ```
 */
export { type HtcondorBackendOptions, htcondorBackend } from "./condor-backend.ts";
export type { StoreTokens } from "./condor-system.ts";
export { htcondorAccounts } from "./site/ask-accounts.ts";
export { htcondorEndings } from "./site/ask-endings.ts";
export { type PoolCapacity, poolCapacity } from "./survey/pool-capacity.ts";
export {
  CONDOR_QUESTIONS,
  type CondorAnswers,
  type CondorSurvey,
  readCondorSurvey,
} from "./survey/survey-condor.ts";
