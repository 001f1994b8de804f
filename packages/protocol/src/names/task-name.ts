import { WfError } from "../errors/wf-error.ts";

/**
 * The name of a task: its stage, which is a name or the path to one through sub-workflows, and its place in each
 * enclosing fan-out or loop. `prepare/resize.12.0` is stage `prepare/resize`, item 12, round 0. What holds tasks is named
 * after the first stage in it: `map:prepare/resize` is the fan-out around it.
 *
 * Law: a task's name says its stage and places, and no two tasks have the same.
 */
export interface TaskName {
  readonly stage: string;
  /** From the outermost fan-out to the innermost; empty for a task that stands by itself. */
  readonly index: readonly number[];
}

const STAGE = "(?:[a-z]+:)*[A-Za-z][A-Za-z0-9_-]*(?:/[A-Za-z][A-Za-z0-9_-]*)*";
const PLACES = "(?:\\.(?:0|[1-9][0-9]{0,14}))*";
const TASK = new RegExp(`^(${STAGE})(${PLACES})$`);

/** Throws where the parts are none that a task can have: what it made could not be read again. */
export function taskName(stage: string, index: readonly number[]): string {
  const name = index.length === 0 ? stage : `${stage}.${index.join(".")}`;
  if (stage.includes(".") || !index.every(Number.isInteger) || !TASK.test(name)) throw notAName("task", name);
  return name;
}

/** Undefined for what is not the name of a task. */
export function parseTaskName(text: string): TaskName | undefined {
  const [, stage, places] = TASK.exec(text) ?? [];
  if (stage === undefined || places === undefined) return undefined;
  return { stage, index: places.split(".").slice(1).map(Number) };
}

/** The stage of a task, by its name: `train.3.0` is one of `train`. */
export function stageOfTask(task: string): string {
  const parsed = parseTaskName(task);
  if (parsed === undefined) throw notAName("task", task);
  return parsed.stage;
}

/** For a name that wf itself has made or stored: whoever holds another one holds it by a bug. */
export function notAName(what: "task" | "attempt" | "job", text: string): WfError {
  return new WfError(
    "WF_INTERNAL",
    `not the name of a${what === "attempt" ? "n" : ""} ${what}: ${JSON.stringify(text)}`,
  );
}
