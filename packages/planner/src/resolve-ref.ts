import {
  type Comparison,
  canonical,
  type DatasetValue,
  type DirectoryValue,
  type FileValue,
  type Json,
  type Ref,
  WfError,
} from "@wf/core";
import { itemsOf, listOf, type Resolved, type ResolvedJson, type ResolvedList, type ValueOps } from "./resolved.ts";
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
  ): Resolved => {
    const value = resolve(part);
    if (value.kind === kind) return use(value as Extract<Resolved, { kind: T }>);
    if (value.kind === "unknown" || value.kind === "absent") return value;
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
      if (ref.field === undefined || item.kind === "unknown") return item;
      return item.kind === "record" ? (item.fields[ref.field] as Resolved) : { kind: "absent" };
    }
    case "index":
      return { kind: "json", value: scopeOf(from, ref.scope).index.at(-1) as number };
    case "state":
      return scopeOf(from, ref.scope).state?.get(ref.name) ?? { kind: "absent" };
    case "field":
      return known(ref.of, "json", (value): ResolvedJson => {
        const member = (value.value as { [name: string]: Json } | null)?.[ref.name];
        return { kind: "json", value: member ?? null };
      });
    case "items":
      return known(ref.of, "json", ({ value }): ResolvedList => {
        if (!Array.isArray(value)) throw new WfError("WF_INPUT_TYPE", "items() needs an array");
        return {
          kind: "list",
          count: value.length,
          at: (index) => ({ kind: "json", value: value[index] as Json }),
          identity: () => ops.hash({ kind: "json", value }),
        };
      });
    case "rows":
      return known(ref.of, "dataset", (value) => ops.rows(value));
    case "chunks":
      return known(ref.of, "dataset", (value) => ops.chunks(value, ref.size));
    case "column":
      return known(ref.of, "dataset", (value) => ops.column(value, ref.column));
    case "pick":
      return known(ref.of, "dataset", (value) => ops.pick(value, ref.columns));
    case "files":
      return known(ref.of, "directory", (value: DirectoryValue) => ops.files(value, ref.glob));
    case "list":
      return listOf(ref.items.map(resolve));
    case "zip":
      return zipped(ref.of, resolve);
    case "flat":
      return known(ref.of, "list", (list) => flattened(list));
    case "present":
      return known(ref.of, "list", (list): Resolved => {
        const items = itemsOf(list);
        return items.find((item) => item.kind === "unknown") ?? listOf(items.filter((item) => item.kind !== "absent"));
      });
    case "merge":
      return known(ref.of, "list", (list): Resolved => {
        const items = itemsOf(list);
        return items.find((item) => item.kind === "unknown") ?? ops.merge(items as DatasetValue[], ref.columns);
      });
    case "table":
      return table(ref, resolve, ops);
    case "else": {
      const value = resolve(ref.of);
      return value.kind === "absent" ? resolve(ref.otherwise) : value;
    }
    case "compare":
      return compared(ref.op, resolve(ref.left), resolve(ref.right));
    case "logic":
      return combined(ref.op, ref.of.map(resolve));
  }
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
  const unknown = columns.find(([, value]) => value.kind === "unknown");
  if (unknown) return unknown[1];
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

function flattened(list: ResolvedList): Resolved {
  const all: Resolved[] = [];
  for (const inner of itemsOf(list)) {
    if (inner.kind === "unknown") return inner;
    if (inner.kind === "list") for (let i = 0; i < inner.count; i++) all.push(inner.at(i));
  }
  return listOf(all);
}

function table(
  { of, columns: kinds }: Extract<Ref, { ref: "table" }>,
  resolve: (ref: Ref) => Resolved,
  ops: ValueOps,
): Resolved {
  const columns: Record<string, (FileValue | ResolvedJson)[]> = {};
  for (const [name, ref] of Object.entries(of)) {
    const list = resolve(ref);
    if (list.kind === "unknown") return list;
    const items = list.kind === "list" ? itemsOf(list) : [];
    const unknown = items.find((item) => item.kind === "unknown");
    if (unknown) return unknown;
    columns[name] = items as (FileValue | ResolvedJson)[];
  }
  sameLength(Object.entries(columns).map(([name, items]) => [name, items.length]));
  return ops.table(columns, kinds);
}

function compared(op: Comparison, left: Resolved, right: Resolved): Resolved {
  if (left.kind === "unknown") return left;
  if (right.kind === "unknown") return right;
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
  const unknown = of.find((part) => part.kind === "unknown");
  if (unknown) return unknown;
  const truths = of.map((part) => part.kind === "json" && part.value === true);
  const value = op === "and" ? truths.every(Boolean) : op === "or" ? truths.some(Boolean) : !truths[0];
  return { kind: "json", value };
}
