/**
 * What a workflow file imports.
 *
 * ```ts
 * import { file, task, workflow } from "wf";
 *
 * const shout = task({
 *   name: "shout",
 *   inputs: { text: file("txt") },
 *   outputs: { loud: file("txt") },
 *   command: ({ inputs, outputs }) => ["sh", "-c", 'tr a-z A-Z < "$1" > "$2"', "shout", inputs.text, outputs.loud],
 * });
 *
 * export default workflow({
 *   name: "shouting",
 *   inputs: { text: file("txt", { path: "hello.txt" }) },
 *   build: ({ inputs }) => ({ loud: shout({ text: inputs.text }).loud }),
 * });
 * ```
 */
export {
  above,
  asModel,
  atLeast,
  atMost,
  below,
  both,
  carried,
  dataset,
  datasetOf,
  directory,
  each,
  either,
  equals,
  file,
  fn,
  inOrder,
  json,
  many,
  not,
  nothing,
  optional,
  part,
  python,
  repeat,
  secret,
  series,
  task,
  tolerate,
  when,
  workflow,
  zip,
} from "@wf/core";
export {
  asha,
  choice,
  grid,
  integer,
  logUniform,
  median,
  nsga2,
  oneOf,
  random,
  Study,
  search,
  tpe,
  uniform,
} from "@wf/hpo";
export { z } from "zod";
