import type { Comparison, Ref } from "@wf/core";
import { canonical, type DatasetValue, type DirectoryValue, type FileValue, type Json, WfError } from "@wf/protocol";
import {
  itemsOf,
  type Later,
  listOf,
  type Resolved,
  type ResolvedJson,
  type ResolvedList,
  type Unknown,
  type ValueOps,
} from "./resolved.ts";
import { type ScopeInstance, scopeOf } from "./scope-instance.ts";

/**
 * Finds what a ref stands for, seen from an instance of a scope. Every node that it names has ended well.
 * What cannot be known before something has run is `unknown`, and whatever is made of it is unknown too.
 */
export function resolveRef(
  ref: Ref,
  from: ScopeInstance,
  inputs: ReadonlyMap<string, Resolved>,
  ops: ValueOps,
): Resolved {
  const resolve = (part: Ref): Resolved => resolveRef(part, from, inputs, ops);
  const known = <T extends Resolved["kind"], R extends Resolved>(
    part: Ref,
    kind: T,
    use: (value: Extract<Resolved, { kind: T }>) => R,
    later?: (of: Resolved) => Later,
  ): Resolved => {
    const value = resolve(part);
    if (value.kind === kind) return use(value as Extract<Resolved, { kind: T }>);
    if (value.kind === "unknown") return madeOf(value, later?.(value));
    if (value.kind === "absent") return value;
    throw new WfError("WF_INPUT_TYPE", `a ${kind} is wanted where a ${value.kind} is`);
  };
  switch (ref.ref) {
    case "const":
      return { kind: "json", value: ref.value };
    case "absent":
      return { kind: "absent" };
    case "input":
      return inputs.get(ref.name) ?? { kind: "absent" };
    case "output":
    case "metric":
    case "result":
      return resultOf(ref, from);
    case "item": {
      const item = scopeOf(from, ref.scope).item as Resolved;
      if (ref.field === undefined) return item;
      if (item.kind === "unknown") return madeOf(item);
      return item.kind === "record" ? (item.fields[ref.field] as Resolved) : { kind: "absent" };
    }
    case "index":
      return { kind: "json", value: scopeOf(from, ref.scope).index.at(-1) as number };
    case "state":
      return scopeOf(from, ref.scope).state?.get(ref.name) ?? { kind: "absent" };
    case "field": {
      const { name } = ref;
      const member = ({ value }: ResolvedJson): ResolvedJson => {
        const found = (value as { [name: string]: Json } | null)?.[name];
        return { kind: "json", value: found ?? null };
      };
      return known(ref.of, "json", member, (of) => ({ op: "field", of, name }));
    }
    case "items":
      return known(
        ref.of,
        "json",
        ({ value }) => elementsOf(value, ops),
        (of) => ({ op: "items", of }),
      );
    case "rows":
      return known(ref.of, "dataset", (value) => ops.rows(value));
    case "chunks":
      return known(ref.of, "dataset", (value) => ops.chunks(value, ref.size));
    case "column":
      return known(
        ref.of,
        "dataset",
        (value) => ops.column(value, ref.column),
        (of) => ({ op: "column", of, column: ref.column }),
      );
    case "pick":
      return known(
        ref.of,
        "dataset",
        (value) => ops.pick(value, ref.columns),
        (of) => ({ op: "pick", of, columns: ref.columns }),
      );
    case "files":
      return known(ref.of, "directory", (value: DirectoryValue) => ops.files(value, ref.glob));
    case "list":
      return listOf(ref.items.map(resolve));
    case "zip":
      return zipped(ref.of, resolve);
    case "flat":
      return ofItems(resolve(ref.of), "flat", flattened);
    case "present":
      return ofItems(resolve(ref.of), "present", (items) => listOf(items.filter(({ kind }) => kind !== "absent")));
    case "merge": {
      const { columns } = ref;
      const merged = (list: ResolvedList): Resolved => {
        const items = itemsOf(list);
        const unknown = items.find(isUnknown);
        return unknown
          ? madeOf(unknown, { op: "merge", of: list, columns })
          : ops.merge(items as DatasetValue[], columns);
      };
      return known(ref.of, "list", merged, (of) => ({ op: "merge", of, columns }));
    }
    case "table":
      return table(ref, resolve, ops);
    case "else": {
      const value = resolve(ref.of);
      if (value.kind === "absent") return resolve(ref.otherwise);
      return isUnknown(value) ? madeOf(value, { op: "else", of: value, otherwise: resolve(ref.otherwise) }) : value;
    }
    case "compare":
      return compared(ref.op, resolve(ref.left), resolve(ref.right));
    case "logic":
      return combined(ref.op, ref.of.map(resolve));
  }
}

function isUnknown(value: Resolved): value is Unknown {
  return value.kind === "unknown";
}

/** What is made of something unknown is unknown too, and is found later where that is. */
function madeOf({ because, later: isFound }: Unknown, later?: Later): Unknown {
  return { kind: "unknown", because, ...(isFound && later ? { later } : {}) };
}

function elementsOf(value: Json, ops: ValueOps): ResolvedList {
  if (!Array.isArray(value)) throw new WfError("WF_INPUT_TYPE", "items() needs an array");
  return {
    kind: "list",
    count: value.length,
    at: (index) => ({ kind: "json", value: value[index] as Json }),
    identity: () => ops.hash({ kind: "json", value }),
  };
}

/** A list made of a list, element by element. */
function ofItems(
  of: Resolved,
  op: "flat" | "present",
  use: (items: readonly Exclude<Resolved, Unknown>[]) => Resolved,
): Resolved {
  if (isUnknown(of)) return madeOf(of, { op, of });
  if (of.kind === "absent") return of;
  if (of.kind !== "list") throw new WfError("WF_INPUT_TYPE", `a list is wanted where a ${of.kind} is`);
  const items = itemsOf(of);
  const unknown = items.find(isUnknown);
  return unknown ? madeOf(unknown, { op, of }) : use(items as Exclude<Resolved, Unknown>[]);
}

function resultOf(ref: Extract<Ref, { node: string }>, from: ScopeInstance): Resolved {
  for (let scope: ScopeInstance | undefined = from; scope; scope = scope.parent) {
    const result = scope.ended.get(ref.node);
    if (!result) continue;
    if (!result.ok) break;
    const value = ref.ref === "metric" ? result.metrics?.[ref.name] : result.values[ref.name];
    return value ?? { kind: "absent" };
  }
  throw new WfError("WF_INTERNAL", `"${ref.node}" was read before it had ended`);
}

function zipped(of: { readonly [name: string]: Ref }, resolve: (ref: Ref) => Resolved): Resolved {
  const columns = Object.entries(of).map(([name, ref]): [string, Resolved] => [name, resolve(ref)]);
  const unknown = columns.map(([, value]) => value).find(isUnknown);
  if (unknown) return madeOf(unknown);
  const lists = columns.map(([name, value]): [string, ResolvedList] => [
    name,
    value.kind === "list" ? value : listOf([]),
  ]);
  const count = sameLength(lists.map(([name, list]) => [name, list.count]));
  return {
    kind: "list",
    count,
    at: (index) => ({
      kind: "record",
      fields: Object.fromEntries(lists.map(([name, list]) => [name, list.at(index)])),
    }),
  };
}

function sameLength(lengths: readonly (readonly [string, number])[]): number {
  const [first] = lengths;
  const other = lengths.find(([, length]) => length !== first?.[1]);
  if (first && other) {
    throw new WfError("WF_ZIP_LENGTH", `"${first[0]}" has ${first[1]} elements and "${other[0]}" has ${other[1]}`, {
      hint: "collections that are walked side by side need the same length",
    });
  }
  return first?.[1] ?? 0;
}

function flattened(lists: readonly Resolved[]): Resolved {
  const all: Resolved[] = [];
  for (const inner of lists) {
    if (inner.kind === "list") for (let i = 0; i < inner.count; i++) all.push(inner.at(i));
  }
  return listOf(all);
}

function table(
  { of, columns: kinds }: Extract<Ref, { ref: "table" }>,
  resolve: (ref: Ref) => Resolved,
  ops: ValueOps,
): Resolved {
  const lists = Object.entries(of).map(([name, ref]): [string, Resolved] => [name, resolve(ref)]);
  const columns = lists.map(([name, list]): [string, Resolved[]] => [name, list.kind === "list" ? itemsOf(list) : []]);
  const unknown =
    lists.map(([, list]) => list).find(isUnknown) ?? columns.flatMap(([, items]) => items).find(isUnknown);
  if (unknown) return madeOf(unknown, { op: "table", of: Object.fromEntries(lists), columns: kinds });
  sameLength(columns.map(([name, items]) => [name, items.length]));
  return ops.table(Object.fromEntries(columns) as Record<string, (FileValue | ResolvedJson)[]>, kinds);
}

function compared(op: Comparison, left: Resolved, right: Resolved): Resolved {
  if (isUnknown(left)) return madeOf(left);
  if (isUnknown(right)) return madeOf(right);
  if (left.kind !== "json" || right.kind !== "json") return { kind: "json", value: false };
  return { kind: "json", value: holds(op, left.value, right.value) };
}

function holds(op: Comparison, left: Json, right: Json): boolean {
  switch (op) {
    case "==":
      return canonical(left) === canonical(right);
    case "!=":
      return canonical(left) !== canonical(right);
    case "<":
      return Number(left) < Number(right);
    case "<=":
      return Number(left) <= Number(right);
    case ">":
      return Number(left) > Number(right);
    case ">=":
      return Number(left) >= Number(right);
  }
}

function combined(op: "and" | "or" | "not", of: readonly Resolved[]): Resolved {
  const unknown = of.find(isUnknown);
  if (unknown) return madeOf(unknown);
  const truths = of.map((part) => part.kind === "json" && part.value === true);
  const value = op === "and" ? truths.every(Boolean) : op === "or" ? truths.some(Boolean) : !truths[0];
  return { kind: "json", value };
}
