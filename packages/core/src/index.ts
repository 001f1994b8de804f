/**
 * What a workflow is made of, and the abstract DAG that it builds.
 *
 * ```ts
 * const sort = task({
 *   name: "sort",
 *   inputs: { text: file("txt") },
 *   outputs: { sorted: file("txt") },
 *   command: ({ inputs, outputs }) => ["sort", inputs.text, "-o", outputs.sorted],
 * });
 * const study = workflow({
 *   name: "study",
 *   inputs: { text: file("txt", { path: "words.txt" }) },
 *   build: ({ inputs }) => ({ sorted: sort({ text: inputs.text }).sorted }),
 * });
 * study.toGraph().nodes.get("sort")?.kind; // "task"
 * ```
 */

export { Account } from "./account.ts";
export {
  type ArtifactType,
  type Columns,
  carried,
  type DatasetType,
  dataset,
  directory,
  file,
  type JsonType,
  json,
  many,
  optional,
  type Slot,
} from "./artifact-type.ts";
export { asModel } from "./as-model.ts";
export { describeType, jsonSchemaOf, whyNotAssignable } from "./assignable.ts";
export { type CommandPart, type CommandTemplate, placeholder } from "./command.ts";
export {
  above,
  atLeast,
  atMost,
  below,
  both,
  datasetOf,
  each,
  either,
  equals,
  not,
  nothing,
  part,
  repeat,
  tolerate,
  when,
  zip,
} from "./control.ts";
export { outputPath } from "./declare-task.ts";
export { ERROR_CODES, type ErrorCode, EXIT } from "./error-codes.ts";
export {
  bodiesOf,
  type EachNode,
  type Graph,
  type GraphInput,
  type GraphModel,
  type GraphOutput,
  type Node,
  type RepeatNode,
  refsOf,
  type Scope,
  type SeriesNode,
  type TaskInput,
  type TaskNode,
  type TolerateNode,
  type WhenNode,
} from "./graph.ts";
export {
  Collection,
  columnKinds,
  DatasetHandle,
  DirectoryHandle,
  FileHandle,
  Handle,
  JsonHandle,
  Maybe,
} from "./handle.ts";
export { canonical, isNestedWithin, type Json, MOST_NESTED, MOST_NESTED_DOCUMENT } from "./json.ts";
export { KeyPart } from "./key-part.ts";
export { LAUNCHES } from "./launches.ts";
export { DatasetManifest, DirectoryManifest, type FileRef, ListManifest, Manifest } from "./manifest.ts";
export { misfit } from "./misfit.ts";
export { MODEL_FORMS, type ModelChoice, parseModelChoice, showModelChoice } from "./model-choice.ts";
export { isPlainName, isPlainPath, MOST_DEEP, PlainName, PlainPath } from "./plain-name.ts";
export { colouredText, printable, printableJson, printableText } from "./printable.ts";
export { parseBytes, parseSeconds } from "./quantity.ts";
export {
  FAILURE_CLASSES,
  FailureClass,
  RankRecord,
  SERIES_COLUMNS,
  SetupChanges,
  TaskRecord,
  Usage,
} from "./record.ts";
export { type ColumnKinds, type Comparison, nodesOf, partsOf, type Ref } from "./ref.ts";
export { type Resources, totalOf, worldSize } from "./resources.ts";
export { RuntimeWish } from "./runtime-wish.ts";
export { type SeriesOptions, series } from "./series.ts";
export { sha256 } from "./sha256.ts";
export { shellLine, shellQuote } from "./shell-quote.ts";
export { type Locator, lineOfError, type SourceLine, setLocator, showLine } from "./source-line.ts";
export { type FitSplit, mayFit, SPLITS, type Split, type SplitSet, unionOfSplits } from "./split.ts";
export { fn, type HandleFor, python, secret, type Task, task } from "./task.ts";
export { inOrder } from "./task-call.ts";
export type {
  EnvValue,
  FnBody,
  Resumable,
  Runtime,
  TaskDeclaration,
} from "./task-declaration.ts";
export { taskKey } from "./task-key.ts";
export { type UnmeasuredAttempt, unmeasuredRecord } from "./unmeasured-record.ts";
export { AbsentValue, DatasetValue, DirectoryValue, FileValue, JsonValue, type ListValue, Value } from "./value.ts";
export { WfError, type WfErrorDetails } from "./wf-error.ts";
export { isWorkflow, type Workflow, workflow } from "./workflow.ts";
