import { columnKinds, jsonSchemaOf, outputPath, type TaskNode, worldSize } from "@wf/core";
import {
  canonical,
  type DirectoryValue,
  type FileValue,
  type Json,
  type KeyPart,
  type RuntimeWish,
  sha256,
} from "@wf/protocol";
import type { Resolved, ValueOps } from "./resolved.ts";
import { unknownIn } from "./resolved.ts";
import type { TaskInstance } from "./task-instance.ts";

/** A file or folder of the project that a task's command needs, as it lies in the store and in the sandbox. */
export interface StagedCode {
  readonly name: string;
  readonly path: string;
  readonly value: FileValue | DirectoryValue;
}

/** The code that a `fn` is a part of, and what it was called with. */
export interface BundledWorkflow {
  readonly hash: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * The parts of a key that are the same for every task of a stage. Resources, site and placement never enter it, but how
 * many processes a task has does: it changes numbers, as a parameter would. How they lie on nodes does not.
 * A `fn` has no files: its code is the bundled workflow itself, of which it is one function.
 */
export function stageKeyParts(
  node: TaskNode,
  code: readonly StagedCode[],
  bundle: BundledWorkflow,
  wish: RuntimeWish | null = null,
): readonly KeyPart[] {
  const { declaration } = node;
  const outputs = Object.entries(declaration.outputs).map(([name, slot]) => [
    name,
    slot.type.kind,
    outputPath(name, slot),
    ...(slot.type.kind === "dataset" ? [columnKinds(slot.type.columns)] : []),
    ...(slot.type.kind === "json" ? [jsonSchemaOf(slot.type)] : []),
  ]);
  const env = Object.entries(declaration.env).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return [
    part("command", declaration.command as unknown as Json),
    part("outputs", outputs as Json),
    ...(declaration.metrics.length === 0 ? [] : [part("metrics", [...declaration.metrics].sort())]),
    ...(worldSize(node.resources) === 1 ? [] : [part("processes", worldSize(node.resources))]),
    part("runtime", wish === null ? declaration.runtime.kind : required(declaration.runtime.kind, wish)),
    ...functionParts(node, bundle),
    ...code.map(({ name, value }) => ({ name: `code ${name}`, hash: value.hash })),
    ...(env.length === 0 ? [] : [part("env", Object.fromEntries(env))]),
    ...(declaration.version === null ? [] : [part("version", declaration.version)]),
  ];
}

/**
 * Which function of the workflow it is: by its stage and its text, since two may look alike and use other values around
 * them. One that is declared in build() may use the parameters of the workflow, too.
 */
function functionParts({ id, declaration: { runtime } }: TaskNode, { hash, params }: BundledWorkflow): KeyPart[] {
  if (runtime.kind !== "fn") return [];
  return [
    { name: "code workflow", hash },
    part("function", [id, runtime.run.toString()]),
    ...(runtime.isOfBuild ? [part("workflow params", params as Json)] : []),
  ];
}

/** All parts of a task's key, or undefined while something that it reads is not known. */
export function keyPartsOf(
  task: TaskInstance,
  stage: readonly KeyPart[],
  ops: ValueOps,
): readonly KeyPart[] | undefined {
  const parts = [...stage];
  for (const name in task.params) {
    const value = task.params[name] as Resolved;
    if (value.kind === "unknown") return undefined;
    parts.push(part(`param ${name}`, value.kind === "json" ? value.value : null));
  }
  for (const name in task.inputs) {
    const value = task.inputs[name] as Resolved;
    if (unknownIn(value) !== undefined) return undefined;
    parts.push({ name: `input ${name}`, hash: ops.hash(value) });
  }
  return parts;
}

/** What is required, never what a site made of it: neither the interpreter nor the place of the project. */
function required(kind: string, { requirements, requiresPython }: RuntimeWish): Json {
  return { kind, requirements, ...(requiresPython === null ? {} : { requiresPython }) };
}

const LONGEST_TEXT = 200;

function part(name: string, value: Json): KeyPart {
  const text = canonical(value);
  const hash = sha256(text);
  return text.length <= LONGEST_TEXT ? { name, hash, text } : { name, hash };
}
