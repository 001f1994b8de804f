import { parseSeconds, WfError } from "@wf/protocol";
import type { Slot } from "./artifact-type.ts";
import type { Resumable, Runtime } from "./task-declaration.ts";

const PROPERTIES = ["checkpoint", "warn"];
const HINT = 'name an output that is a file or a folder: resumable: { checkpoint: "state" }';

/** Checks what a task says of going on in a further job. */
export function declareResumable(
  given: unknown,
  outputs: Readonly<Record<string, Slot>>,
  runtime: Runtime,
  where: string,
): Resumable | undefined {
  if (given === undefined) return undefined;
  const wrong = (message: string, hint = HINT): never => {
    throw new WfError("WF_DECLARATION", message, { where, hint });
  };
  if (typeof given !== "object" || given === null) wrong("resumable is no object");
  const unknown = Object.keys(given as object).find((property) => !PROPERTIES.includes(property));
  if (unknown !== undefined) wrong(`resumable has no property "${unknown}"`, `it has: ${PROPERTIES.join(", ")}`);
  if (runtime.kind === "fn") wrong("a fn cannot be resumable", "make it a task with a command");
  const { checkpoint, warn } = given as { checkpoint?: unknown; warn?: string | number };
  const slot = typeof checkpoint === "string" ? outputs[checkpoint] : undefined;
  if (slot === undefined) wrong(`the checkpoint ${JSON.stringify(checkpoint)} is no output of the task`);
  else if (slot.type.kind !== "file" && slot.type.kind !== "directory") {
    wrong(`the checkpoint "${checkpoint}" is ${slot.type.kind === "json" ? "JSON" : "a dataset"}`);
  }
  const warnSeconds = warn === undefined ? null : parseSeconds(warn);
  if (warnSeconds === 0) wrong("resumable.warn is 0: the task would not be told", 'leave it out, or write warn: "2m"');
  return { checkpoint: checkpoint as string, warnSeconds };
}
