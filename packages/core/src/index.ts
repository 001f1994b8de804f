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
export { type ColumnKinds, type Comparison, nodesOf, partsOf, type Ref } from "./ref.ts";
export { type Resources, totalOf, worldSize } from "./resources.ts";
export { type SeriesOptions, series } from "./series.ts";
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
export { isWorkflow, type Workflow, workflow } from "./workflow.ts";
