import { type Json, NAME, WfError } from "@wf/protocol";
import { z } from "zod";
import type { ArtifactType, DatasetType, Slot } from "./artifact-type.ts";
import { whyNotAssignable } from "./assignable.ts";
import type { TaskInput, TaskNode } from "./graph.ts";
import { currentBuilder } from "./graph-builder.ts";
import { Collection, Handle, handleOf, JsonHandle, Maybe } from "./handle.ts";
import { knownOnly } from "./known-only.ts";
import { ownMember } from "./own-member.ts";
import type { Ref } from "./ref.ts";
import { parseResources, type ResourceRequest } from "./resources.ts";
import { splitsOf } from "./result.ts";
import { currentLine, showLine } from "./source-line.ts";
import { mayFit, type SplitSet, unionOfSplits } from "./split.ts";
import type { TaskDeclaration } from "./task-declaration.ts";

type Given = Readonly<Record<string, unknown>>;

/** Which node made a result; `inOrder` asks for it. */
const NODE = Symbol("node");

const METRIC: z.ZodType = z.number();

/**
 * Uses a task in a graph. Whatever the types of `Task` forbid is refused here again, under a code, since running
 * strips types.
 */
export function callTask(
  declaration: TaskDeclaration,
  inputs: Given = {},
  params: Given = {},
  options: { as?: string; resources?: ResourceRequest } = {},
): unknown {
  const at = currentLine();
  const name = options.as ?? declaration.name;
  const where = `task "${name}"${at ? ` (${showLine(at)})` : ""}`;
  const builder = currentBuilder(`task "${name}"`);
  if (!NAME.test(name)) {
    throw new WfError("WF_DECLARATION", `"${name}" is not a stage's name`, {
      where,
      hint: "use letters, digits, - and _",
    });
  }
  const given = checkInputs(declaration, inputs, where);
  const values = checkParams(declaration, params, where);
  checkSplits(declaration, given, params, where);
  const inherited = unionOfSplits([
    ...Object.values(given)
      .filter((input) => !input.carried)
      .map((input) => input.splits),
    splitsOf(params),
  ]);
  const outputSplits: Record<string, SplitSet> = {};
  for (const [output, slot] of Object.entries(declaration.outputs)) outputSplits[output] = slot.splits ?? inherited;
  const node = builder.addTask(
    name,
    (id, scope): TaskNode => ({
      kind: "task",
      id,
      scope,
      at,
      after: [],
      declaration,
      inputs: given,
      params: values,
      outputSplits,
      resources: options.resources ? parseResources(options.resources, where) : declaration.resources,
    }),
  );
  return resultsOf(node, inherited, where);
}

function checkInputs(declaration: TaskDeclaration, inputs: Given, where: string): Record<string, TaskInput> {
  for (const name of Object.keys(inputs)) {
    if (ownMember(declaration.inputs, name)) continue;
    throw new WfError("WF_INPUT_UNKNOWN", `task "${declaration.name}" has no input "${name}"`, {
      where,
      hint: `its inputs are: ${Object.keys(declaration.inputs).join(", ") || "none"}`,
    });
  }
  const given: Record<string, TaskInput> = {};
  for (const [name, slot] of Object.entries(declaration.inputs)) {
    const value = ownMember(inputs, name);
    if (value === undefined) {
      if (slot.mod === "optional") continue;
      throw new WfError("WF_INPUT_MISSING", `input "${name}" of task "${declaration.name}" is not given`, {
        where,
        hint: `pass { ${name}: … }`,
      });
    }
    given[name] = checkInput(name, slot, value, where);
  }
  return given;
}

function checkInput(name: string, slot: Slot, value: unknown, where: string): TaskInput {
  const wrong = (why: string): never => {
    throw new WfError("WF_INPUT_TYPE", `input "${name}": ${why}`, {
      where,
      hint: "pass an artifact of the type that the task declares",
    });
  };
  const carried = slot.mod === "carried";
  if (slot.mod === "many") {
    const elements = Array.isArray(value)
      ? value
      : value instanceof Collection
        ? [value.element({ ref: "absent" })]
        : wrong("a collection is wanted");
    for (const element of elements as unknown[]) {
      if (!(element instanceof Handle)) wrong("a collection of single artifacts is wanted");
      const why = whyNotAssignable((element as Handle).type, slot.type);
      if (why) wrong(why);
    }
    const ref: Ref = Array.isArray(value)
      ? { ref: "list", items: value.map((handle: Handle) => handle.ref) }
      : (value as Collection<never>).ref;
    return { ref, splits: splitsOf(value), carried, many: true };
  }
  if (value instanceof Maybe && slot.mod !== "optional")
    wrong("it may be absent; use orElse(), or declare the input optional()");
  const handle = value instanceof Maybe ? value.handle : value;
  if (!(handle instanceof Handle)) {
    wrong(
      value instanceof Collection
        ? "it is a collection; map over it, or declare the input many()"
        : "it is no artifact",
    );
  }
  const { type } = handle as Handle;
  const why = whyNotAssignable(type, slot.type);
  if (why) wrong(why);
  return { ref: narrowed((handle as Handle).ref, type, slot.type), splits: splitsOf(value), carried, many: false };
}

/** A task sees, and depends on, only the columns that it declares. */
function narrowed(ref: Ref, given: ArtifactType, wanted: ArtifactType): Ref {
  if (given.kind !== "dataset") return ref;
  const columns = Object.keys((wanted as DatasetType).columns);
  return columns.length === Object.keys(given.columns).length ? ref : { ref: "pick", of: ref, columns };
}

function checkParams(declaration: TaskDeclaration, params: Given, where: string): Record<string, Ref> {
  const shape = declaration.params.shape as Record<string, z.ZodType>;
  for (const name of Object.keys(params)) {
    if (ownMember(shape, name)) continue;
    throw new WfError("WF_PARAM_INVALID", `task "${declaration.name}" has no parameter "${name}"`, {
      where,
      hint: `its parameters are: ${Object.keys(shape).join(", ") || "none"}`,
    });
  }
  const values: Record<string, Ref> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const value = ownMember(params, name);
    if (value instanceof JsonHandle) {
      const why = whyNotAssignable(value.type, { kind: "json", schema });
      if (why) {
        throw new WfError("WF_PARAM_INVALID", `parameter "${name}": ${why}`, {
          where,
          hint: "pass a value of the declared type",
        });
      }
      values[name] = value.ref;
      continue;
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      throw new WfError(
        "WF_PARAM_INVALID",
        `parameter "${name}": ${parsed.error.issues.map((issue) => issue.message).join("; ")}`,
        {
          where,
          hint: value === undefined ? `pass { ${name}: … }` : "pass a value of the declared type",
        },
      );
    }
    if (parsed.data !== undefined) values[name] = { ref: "const", value: parsed.data as Json };
  }
  return values;
}

function checkSplits(
  declaration: TaskDeclaration,
  inputs: Record<string, TaskInput>,
  params: Given,
  where: string,
): void {
  const labelled = Object.entries(declaration.outputs).find(([, slot]) => slot.splits && slot.splits.length > 0)?.[0];
  const read: [string, SplitSet][] = [
    ...Object.entries(inputs)
      .filter(([, input]) => !input.carried)
      .map(([name, input]): [string, SplitSet] => [`input "${name}"`, input.splits]),
    ...Object.entries(params).map(([name, value]): [string, SplitSet] => [`parameter "${name}"`, splitsOf(value)]),
  ];
  for (const [what, splits] of read) {
    if (declaration.fits && !mayFit(splits)) {
      throw new WfError(
        "WF_SPLIT_FIT",
        `${what} is made from ${splits.join(" and ")} data, and "${declaration.name}" fits`,
        {
          where,
          hint: "fit on train and val data only; split the data first, or mark the input carried() if the fit does not read it",
        },
      );
    }
    if (labelled !== undefined && splits.some((split) => split !== "unsplit")) {
      throw new WfError(
        "WF_SPLIT_RELABEL",
        `${what} is ${splits.join(" and ")} data, and output "${labelled}" would give it another label`,
        {
          where,
          hint: "only unsplit data can be split",
        },
      );
    }
  }
}

function resultsOf(node: TaskNode, inherited: SplitSet, where: string): unknown {
  const { declaration } = node;
  const outputs: Record<string | symbol, unknown> = {};
  for (const [name, slot] of Object.entries(declaration.outputs)) {
    const ref: Ref = { ref: "output", node: node.id, name };
    const handle = handleOf(ref, slot.type, node.outputSplits[name] as SplitSet);
    outputs[name] = slot.mod === "optional" ? new Maybe(handle) : handle;
  }
  const metrics = Object.fromEntries(
    declaration.metrics.map((name) => {
      const ref: Ref = { ref: "metric", node: node.id, name };
      return [name, new JsonHandle(ref, { kind: "json", schema: METRIC }, inherited)];
    }),
  );
  const hidden = { enumerable: false };
  Object.defineProperty(outputs, NODE, { ...hidden, value: node.id });
  Object.defineProperty(outputs, "metrics", {
    ...hidden,
    value: knownOnly(
      metrics,
      "WF_METRIC_UNKNOWN",
      `${where} declares no metric`,
      (_, names) => `its metrics are: ${names}`,
    ),
  });
  return knownOnly(
    outputs,
    "WF_OUTPUT_UNKNOWN",
    `${where} declares no output`,
    (_, names) => `its outputs are: ${names}`,
  );
}

/** `second` starts only when `first` has ended, although it reads nothing of it. Both are results of tasks. */
export function inOrder(first: object, second: object): void {
  currentBuilder("inOrder()").order(nodeOf(first), nodeOf(second), showLine(currentLine()));
}

function nodeOf(result: object): string {
  const node = (result as { [NODE]?: string })[NODE];
  if (node !== undefined) return node;
  throw new WfError("WF_INPUT_TYPE", "inOrder() takes what calls of tasks return", { where: showLine(currentLine()) });
}
