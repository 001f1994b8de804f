/**
 * The port that a place to run implements, and the job that it is handed.
 *
 * ```ts
 * await backend.open((event) => console.log(event.type), signal);
 * await backend.submit([job], signal);
 * await backend.close(signal); // what runs is left to finish
 * ```
 */
export type { Adoption, Backend, BackendEvent, Capabilities, Capacity, LeftInQueue, QueuedAttempt } from "./backend.ts";
export { believedRecord, type ToldRecord } from "./believed-record.ts";
export {
  PreparedRuntime,
  type RuntimeForecast,
  type RuntimePreparer,
  type RuntimeProgress,
} from "./runtime-preparer.ts";
