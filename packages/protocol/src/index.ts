/**
 * What crosses a process or a machine: jobs, records, values, manifests, names and errors.
 *
 * ```ts
 * TaskRecord.safeParse(JSON.parse(text)).success; // what a launcher wrote, or not
 * ```
 */
export { ERROR_CODES, type ErrorCode, EXIT } from "./errors/error-codes.ts";
export { misfit } from "./errors/misfit.ts";
export { WfError, type WfErrorDetails } from "./errors/wf-error.ts";
export { JobSpec, TaskSpec } from "./jobs/job-spec.ts";
export { LAUNCHES, type Launch } from "./jobs/launches.ts";
export { RuntimeWish } from "./jobs/runtime-wish.ts";
export {
  type AttemptFolder,
  attemptOfRecord,
  localRunFolder,
  RUNS_FOLDER,
  type RunFolder,
  type SubmissionFolder,
  siteRunFolder,
} from "./layout/run-folder.ts";
export {
  type AttemptName,
  attemptName,
  numberOfAttempt,
  parseAttemptName,
  taskOfAttempt,
} from "./names/attempt-name.ts";
export { type JobKind, type JobName, jobName, parseJobName, plannedJobName } from "./names/job-name.ts";
export { MODEL_FORMS, type ModelChoice, parseModelChoice, showModelChoice } from "./names/model-choice.ts";
export { NAME } from "./names/name.ts";
export { isPlainName, isPlainPath, MOST_DEEP, PlainName, PlainPath } from "./names/plain-name.ts";
export { queueName, submissionName, submissionToken } from "./names/queue-name.ts";
export { parseTaskName, stageOfTask, type TaskName, taskName } from "./names/task-name.ts";
export { Account } from "./records/account.ts";
export { KeyPart } from "./records/key-part.ts";
export {
  FAILURE_CLASSES,
  FailureClass,
  RankRecord,
  SERIES_COLUMNS,
  SetupChanges,
  TaskRecord,
  Usage,
} from "./records/record.ts";
export { type UnmeasuredAttempt, unmeasuredRecord, unmeasuredUsage } from "./records/unmeasured-record.ts";
export { jsonSchemas, launcherPaths } from "./schemas/json-schemas.ts";
export { colouredText, printable, printableJson, printableText } from "./text/printable.ts";
export { parseBytes, parseSeconds } from "./text/quantity.ts";
export { shellLine, shellQuote } from "./text/shell-quote.ts";
export { ContentHash } from "./values/content-hash.ts";
export { canonical, isJson, isNestedWithin, type Json, MOST_NESTED, MOST_NESTED_DOCUMENT } from "./values/json.ts";
export { DatasetManifest, DirectoryManifest, type FileRef, ListManifest, Manifest } from "./values/manifest.ts";
export { sha256 } from "./values/sha256.ts";
export {
  AbsentValue,
  DatasetValue,
  DirectoryValue,
  FileValue,
  JsonValue,
  type ListValue,
  Value,
} from "./values/value.ts";
