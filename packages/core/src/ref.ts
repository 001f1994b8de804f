import type { Json } from "@wf/protocol";

/**
 * A value that does not exist yet: how to find it once what it stands on has run.
 * `node` names a node of the graph, `scope` a body (of a map, a condition or a loop).
 */
export type Ref =
  | { readonly ref: "const"; readonly value: Json }
  | { readonly ref: "absent" }
  | { readonly ref: "input"; readonly name: string }
  | { readonly ref: "output"; readonly node: string; readonly name: string }
  | { readonly ref: "metric"; readonly node: string; readonly name: string }
  | { readonly ref: "result"; readonly node: string; readonly name: string }
  | { readonly ref: "item"; readonly scope: number; readonly field?: string }
  | { readonly ref: "index"; readonly scope: number }
  | { readonly ref: "state"; readonly scope: number; readonly name: string }
  | { readonly ref: "field"; readonly of: Ref; readonly name: string }
  | { readonly ref: "items"; readonly of: Ref }
  | { readonly ref: "rows"; readonly of: Ref }
  | { readonly ref: "chunks"; readonly of: Ref; readonly size: number }
  | { readonly ref: "column"; readonly of: Ref; readonly column: string }
  | { readonly ref: "pick"; readonly of: Ref; readonly columns: readonly string[] }
  | { readonly ref: "files"; readonly of: Ref; readonly glob: string }
  | { readonly ref: "list"; readonly items: readonly Ref[] }
  | { readonly ref: "zip"; readonly of: { readonly [name: string]: Ref } }
  | { readonly ref: "flat"; readonly of: Ref }
  | { readonly ref: "present"; readonly of: Ref }
  /** `columns` says what there is when the collection is empty. */
  | { readonly ref: "merge"; readonly of: Ref; readonly columns: ColumnKinds }
  | { readonly ref: "table"; readonly of: { readonly [column: string]: Ref }; readonly columns: ColumnKinds }
  | { readonly ref: "else"; readonly of: Ref; readonly otherwise: Ref }
  | { readonly ref: "compare"; readonly op: Comparison; readonly left: Ref; readonly right: Ref }
  | { readonly ref: "logic"; readonly op: "and" | "or" | "not"; readonly of: readonly Ref[] };

/** Whether a dataset's column holds files or JSON values. */
export type ColumnKinds = { readonly [column: string]: "file" | "value" };

export type Comparison = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** The refs that a ref is made of, one level down. */
export function partsOf(ref: Ref): readonly Ref[] {
  switch (ref.ref) {
    case "const":
    case "absent":
    case "input":
    case "output":
    case "metric":
    case "result":
    case "item":
    case "index":
    case "state":
      return [];
    case "field":
    case "items":
    case "rows":
    case "chunks":
    case "column":
    case "pick":
    case "files":
    case "flat":
    case "present":
    case "merge":
      return [ref.of];
    case "zip":
    case "table":
      return Object.values(ref.of);
    case "list":
      return ref.items;
    case "else":
      return [ref.of, ref.otherwise];
    case "compare":
      return [ref.left, ref.right];
    case "logic":
      return ref.of;
  }
}

/** The nodes that must have ended before the ref has a value. */
export function nodesOf(ref: Ref, into: Set<string> = new Set()): Set<string> {
  if (ref.ref === "output" || ref.ref === "metric" || ref.ref === "result") into.add(ref.node);
  for (const part of partsOf(ref)) nodesOf(part, into);
  return into;
}
