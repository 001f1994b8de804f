import { type ErrorCode, NAME, WfError } from "@wf/protocol";
import { z } from "zod";
import { isSlot } from "./artifact-type.ts";
import { whyNotAssignable } from "./assignable.ts";
import type { Graph, GraphInput } from "./graph.ts";
import { buildWith, currentBuilder, GraphBuilder } from "./graph-builder.ts";
import { type AnyCollection, Handle, handleOf, type Maybe } from "./handle.ts";
import { ownMember } from "./own-member.ts";
import { currentLine, lineOfError, showLine } from "./source-line.ts";
import type { Split, SplitSet } from "./split.ts";
import type { HandleFor, OptionalKeys, Slots } from "./task.ts";

type WorkflowOutputs = { readonly [name: string]: Handle | Maybe | AnyCollection };
type LabelOfInput<L> = [L] extends [never] ? never : "inherit" extends L ? "unsplit" : Extract<L, Split>;
type InputHandle<S extends Slots[string]> = HandleFor<S["type"], LabelOfInput<NonNullable<S["label"]>>>;
/** Whether an optional input is there is known when the graph is built: an absent one is undefined. */
type InputHandles<I extends Slots> = {
  readonly [K in keyof I]: InputHandle<I[K]> | (I[K]["mod"] extends "optional" ? undefined : never);
};
type PartInputs<I extends Slots> = {
  readonly [K in Exclude<keyof I, OptionalKeys<I>>]: InputHandle<I[K]>;
} & { readonly [K in OptionalKeys<I>]?: InputHandle<I[K]> | undefined };

export interface WorkflowOptions<I extends Slots, P extends z.ZodObject, R extends WorkflowOutputs> {
  readonly name: string;
  /** What `--param NAME=VALUE` sets. Default: none. */
  readonly params?: P;
  /**
   * What `--input NAME=PATH` names; `file("csv", { path: "data/x.csv" })` has a default, relative to this file, and
   * `optional(directory())` may be left out. `file("pt", { model: "lung-unet", best: "dice" })` is by default the best
   * version of a registered model.
   */
  readonly inputs?: I;
  /** Builds the graph by calling tasks. What it returns are the outputs of a run, by name. */
  readonly build: (given: { readonly params: z.output<P>; readonly inputs: InputHandles<I> }) => R;
}

const WORKFLOW = Symbol.for("wf.workflow");

export interface Workflow<
  I extends Slots = Slots,
  P extends z.ZodObject = z.ZodObject,
  R extends WorkflowOutputs = WorkflowOutputs,
> {
  /** Uses this workflow as a part of another one. */
  (inputs: PartInputs<I>, params?: z.input<P>): R;
  readonly [WORKFLOW]: true;
  readonly workflowName: string;
  readonly params: P;
  readonly inputs: I;
  /** The abstract DAG for these parameters; `given` are the names of optional inputs that there are. */
  toGraph(params?: unknown, given?: Iterable<string>): Graph;
}

/** Declares a workflow. Make it the default export of its file. */
export function workflow<
  const I extends Slots = Record<never, never>,
  P extends z.ZodObject = z.ZodObject<Record<never, never>>,
  R extends WorkflowOutputs = WorkflowOutputs,
>(options: WorkflowOptions<I, P, R>): Workflow<I, P, R> {
  const at = currentLine();
  const where = `workflow "${options.name}"${at ? ` (${showLine(at)})` : ""}`;
  if (typeof options.name !== "string" || !NAME.test(options.name)) {
    throw new WfError("WF_DECLARATION", `${JSON.stringify(options.name)} is not a workflow's name`, {
      where,
      hint: "a name starts with a letter and has letters, digits, - and _",
    });
  }
  for (const property of Object.keys(options)) {
    if (!["name", "params", "inputs", "build"].includes(property)) {
      throw new WfError("WF_DECLARATION", `a workflow has no property "${property}"`, {
        where,
        hint: "it has name, params, inputs and build",
      });
    }
  }
  const params = (options.params ?? z.object({})) as P;
  const inputs = (options.inputs ?? {}) as I;
  const graphInputs: Record<string, GraphInput> = {};
  for (const [name, slot] of Object.entries(inputs)) {
    if (!NAME.test(name) || !isSlot(slot)) {
      throw new WfError("WF_DECLARATION", `input "${name}" is wrong: it needs a name and an artifact type`, {
        where,
        hint: "write inputs: { xrays: dataset({ … }) }, with letters, digits, - and _ in the name",
      });
    }
    graphInputs[name] = { type: slot.type, splits: slot.splits ?? ["unsplit"], from: slot.path, model: slot.model };
  }

  const build = (given: unknown, handles: InputHandles<I>): R => {
    const parsed = parseParams(params, given, where);
    try {
      return options.build({ params: parsed as z.output<P>, inputs: handles });
    } catch (error) {
      if (error instanceof WfError) throw error;
      throw new WfError(
        "WF_WORKFLOW_THREW",
        `build() threw: ${error instanceof Error ? error.message : String(error)}`,
        {
          where: showLine(lineOfError(error)) ?? where,
          hint: mapHint(error) ?? "correct the workflow's code at that line",
          cause: error,
        },
      );
    }
  };

  const asPart = (given: Record<string, unknown>, partParams?: unknown): R => {
    const builder = currentBuilder(where);
    checkPartInputs(options.name, graphInputs, inputs, given);
    return builder.within(options.name, () => build(partParams ?? {}, given as InputHandles<I>));
  };

  const toGraph = (given: unknown = {}, givenInputs: Iterable<string> = []): Graph => {
    const builder = new GraphBuilder();
    const there = new Set(givenInputs);
    const present = Object.fromEntries(
      Object.entries(graphInputs).filter(
        ([name, { from, model }]) =>
          inputs[name]?.mod !== "optional" || (from ?? model) !== undefined || there.has(name),
      ),
    );
    const handles = Object.fromEntries(
      Object.entries(present).map(([name, input]) => [
        name,
        handleOf({ ref: "input", name }, input.type, input.splits),
      ]),
    );
    const returned = buildWith(builder, () => build(given, handles as InputHandles<I>));
    return builder.finish(options.name, parseParams(params, given, where), present, returned);
  };

  return Object.assign(asPart, {
    [WORKFLOW]: true as const,
    workflowName: options.name,
    params,
    inputs,
    toGraph,
  }) as never;
}

/** Handles are no arrays: what there will be many of is asked for by name. */
function mapHint(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || !/\.(map|forEach|filter|reduce) is not a function/.test(error.message)) return;
  return 'nothing is there yet to walk: write list.items().map(…), folder.files("*.csv").map(…) or data.rows().map(…)';
}

export function isWorkflow(value: unknown): value is Workflow {
  return typeof value === "function" && WORKFLOW in value;
}

function checkPartInputs(
  part: string,
  declared: Readonly<Record<string, GraphInput>>,
  slots: Slots,
  given: Readonly<Record<string, unknown>>,
): void {
  const at = showLine(currentLine());
  const refuse = (code: ErrorCode, message: string, hint: string): never => {
    throw new WfError(code, message, { where: `workflow "${part}"${at ? ` (${at})` : ""}`, hint });
  };
  const known = Object.keys(declared);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const hint = `its inputs are: ${known.join(", ") || "none"}`;
    refuse("WF_INPUT_UNKNOWN", `workflow "${part}" has no input "${unknown}"`, hint);
  }
  for (const [name, input] of Object.entries(declared)) {
    const handle = ownMember(given, name);
    const what = `input "${name}" of workflow "${part}"`;
    if (handle === undefined && slots[name]?.mod === "optional") continue;
    if (handle === undefined) refuse("WF_INPUT_MISSING", `${what} is not given`, `pass { ${name}: … }`);
    if (!(handle instanceof Handle)) {
      refuse("WF_INPUT_TYPE", `${what} is no single artifact`, "pass one artifact of the type that it declares");
      continue;
    }
    const why = whyNotAssignable(handle.type, input.type);
    if (why) refuse("WF_INPUT_TYPE", `${what}: ${why}`, "pass an artifact of the type that it declares");
    const label = slots[name]?.splits as SplitSet | undefined;
    if (label && handle.splits.some((split) => !label.includes(split))) {
      const made = handle.splits.join(" and ");
      const wanted = label.join(" and ") || "reference material";
      refuse("WF_SPLIT_RELABEL", `${what} is made from ${made} data, and it takes ${wanted}`, "pass what it takes");
    }
  }
}

function parseParams(schema: z.ZodObject, given: unknown, where: string): Record<string, unknown> {
  const parsed = schema.strict().safeParse(withoutInherited(given));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const name = issue.path.join(".");
  const isGiven = issue.path.length > 1 || Object.hasOwn(given as object, name);
  const known = Object.keys(schema.shape);
  throw new WfError("WF_PARAM_INVALID", whatIsWrong(issue, name, isGiven), {
    where,
    hint:
      known.length > 0
        ? `pass --param ${isGiven || name === "" ? "NAME" : name}=VALUE; the parameters are: ${known.join(", ")}`
        : "the workflow has no parameters",
  });
}

/** A schema takes what an object inherits for given: a parameter may be called `constructor`. */
function withoutInherited(given: unknown): unknown {
  const isPlain = typeof given === "object" && given !== null && Object.getPrototypeOf(given) === Object.prototype;
  return isPlain ? Object.assign(Object.create(null), given) : given;
}

function whatIsWrong(issue: z.core.$ZodIssue, name: string, isGiven: boolean): string {
  if (name === "" && issue.code === "unrecognized_keys") return `there is no parameter "${issue.keys[0]}"`;
  if (name === "") return `the parameters: ${issue.message}`;
  return isGiven ? `parameter "${name}": ${issue.message}` : `parameter "${name}" is not given`;
}
