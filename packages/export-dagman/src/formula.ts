import { itemsOf, type Later, type Resolved } from "@wf/planner";
import type { Value } from "@wf/protocol";
import type { Formula } from "./documents.ts";

type Keep = (value: Resolved) => Value;

/** What only a run can tell of a value: the task or the stage that it waits for. */
export function untellable(value: Resolved): string | undefined {
  switch (value.kind) {
    case "list":
      return firstUntellable(itemsOf(value));
    case "record":
      return firstUntellable(Object.values(value.fields));
    case "unknown":
      return value.later === undefined ? value.because : firstUntellable(partsOf(value.later));
    default:
      return undefined;
  }
}

/** Of a value that can be told. */
export function formulaOf(value: Resolved, keep: Keep): Formula {
  if (isKnown(value)) return { value: keep(value) };
  if (value.kind === "list") return { list: itemsOf(value).map((item) => formulaOf(item, keep)) };
  if (value.kind !== "unknown" || value.later === undefined) {
    throw new TypeError(`a ${value.kind} cannot be told`);
  }
  return formulaOfLater(value.later, (part) => formulaOf(part, keep));
}

function isKnown(value: Resolved): boolean {
  if (value.kind === "list") return itemsOf(value).every(isKnown);
  return value.kind !== "unknown" && value.kind !== "record";
}

/** The tasks whose results a formula reads. */
export function tasksOf(formula: Formula, into: Set<string> = new Set()): Set<string> {
  if ("value" in formula) return into;
  if ("list" in formula) {
    for (const item of formula.list) tasksOf(item, into);
    return into;
  }
  switch (formula.op) {
    case "output":
    case "metric":
      return into.add(formula.task);
    case "table":
      for (const column of Object.values(formula.of)) tasksOf(column, into);
      return into;
    case "else":
      return tasksOf(formula.otherwise, tasksOf(formula.of, into));
    default:
      return tasksOf(formula.of, into);
  }
}

/** Content that must be at hand before anything runs. */
export function* valuesOf(formula: Formula): Generator<Value> {
  if ("value" in formula) yield formula.value;
  else if ("list" in formula) for (const item of formula.list) yield* valuesOf(item);
  else if (formula.op === "table") for (const column of Object.values(formula.of)) yield* valuesOf(column);
  else if ("of" in formula) {
    yield* valuesOf(formula.of);
    if (formula.op === "else") yield* valuesOf(formula.otherwise);
  }
}

function firstUntellable(parts: readonly Resolved[]): string | undefined {
  for (const part of parts) {
    const why = untellable(part);
    if (why !== undefined) return why;
  }
  return undefined;
}

function partsOf(later: Later): readonly Resolved[] {
  switch (later.op) {
    case "output":
    case "metric":
      return [];
    case "table":
      return Object.values(later.of);
    case "else":
      return [later.of, later.otherwise];
    default:
      return [later.of];
  }
}

function formulaOfLater(later: Later, tell: (part: Resolved) => Formula): Formula {
  switch (later.op) {
    case "output":
    case "metric":
      return later;
    case "table": {
      const columns = Object.entries(later.of).map(([name, part]) => [name, tell(part)] as const);
      return { ...later, of: Object.fromEntries(columns) };
    }
    case "else":
      return { ...later, of: tell(later.of), otherwise: tell(later.otherwise) };
    default:
      return { ...later, of: tell(later.of) };
  }
}
