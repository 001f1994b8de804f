import { NAME, WfError } from "@wf/protocol";
import { z } from "zod";
import { whyNotAssignable } from "./assignable.ts";
import { DirectoryHandle, FileHandle, JsonHandle, Maybe } from "./handle.ts";
import { type Result, refOf, withRef } from "./result.ts";
import { currentLine, showLine } from "./source-line.ts";

type Artifact = FileHandle | DirectoryHandle;

export interface ModelMark {
  readonly name: string;
  readonly metrics: { readonly [name: string]: JsonHandle<number> };
}

const marks = new WeakMap<object, ModelMark>();

/**
 * Names an output of the workflow as a model: when the run has succeeded, it becomes the next version of that name, or
 * is known again as the version that has the same content. It stays the artifact that it is.
 *
 * ```ts
 * return { model: asModel("lung-unet", trained.model, { dice: scored.metrics.dice }) };
 * ```
 */
export function asModel<H extends Artifact | Maybe<FileHandle> | Maybe<DirectoryHandle>>(
  name: string,
  artifact: H,
  metrics: { readonly [name: string]: JsonHandle<number> } = {},
): H {
  const where = showLine(currentLine());
  const wrong = (message: string, hint: string): never => {
    throw new WfError("WF_INPUT_TYPE", message, { where, hint });
  };
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new WfError("WF_DECLARATION", `${JSON.stringify(name)} is no name of a model`, {
      where,
      hint: "a name starts with a letter and has letters, digits, - and _",
    });
  }
  const handle = artifact instanceof Maybe ? artifact.handle : artifact;
  if (!(handle instanceof FileHandle || handle instanceof DirectoryHandle)) {
    wrong(`model "${name}" is neither a file nor a directory`, `write asModel("${name}", trained.model, { … })`);
  }
  for (const [metric, value] of Object.entries(metrics)) {
    if (!NAME.test(metric)) wrong(`"${metric}" is no name of a metric`, "use letters, digits, - and _");
    const why = value instanceof JsonHandle ? whyNotAssignable(value.type, NUMBER) : "it is no handle of a number";
    if (why) wrong(`metric "${metric}" of model "${name}": ${why}`, "pass a metric of a task: scored.metrics.dice");
  }
  const marked = withRef(artifact, refOf(artifact));
  marks.set(marked, { name, metrics });
  return marked as Result & H;
}

const NUMBER = { kind: "json", schema: z.number() } as const;

/** What `asModel` said of this very handle. */
export function modelMarkOf(result: Result): ModelMark | undefined {
  return marks.get(result);
}
