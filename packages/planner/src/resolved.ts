import type { ColumnKinds } from "@wf/core";
import type { AbsentValue, DatasetValue, DirectoryValue, FileValue, Json } from "@wf/protocol";

/** What a ref stands for, as far as it is known. Lists hand out their items one by one: a million are no objects yet. */
export type Resolved =
  | FileValue
  | DirectoryValue
  | DatasetValue
  | AbsentValue
  | ResolvedJson
  | ResolvedList
  | { readonly kind: "record"; readonly fields: { readonly [name: string]: Resolved } }
  | Unknown;

/** It will only be known when that task has run. */
export interface Unknown {
  readonly kind: "unknown";
  readonly because: string;
  /** How it can be found then. Absent where only a run can tell, and where nobody has asked to know. */
  readonly later?: Later;
}

/** What will be made of results: a plan that names them can be carried out by who knows no workflow. */
export type Later =
  | { readonly op: "output" | "metric"; readonly task: string; readonly name: string }
  | { readonly op: "field"; readonly of: Resolved; readonly name: string }
  | { readonly op: "items" | "flat" | "present"; readonly of: Resolved }
  | { readonly op: "column"; readonly of: Resolved; readonly column: string }
  | { readonly op: "pick"; readonly of: Resolved; readonly columns: readonly string[] }
  | { readonly op: "merge"; readonly of: Resolved; readonly columns: ColumnKinds }
  | { readonly op: "table"; readonly of: { readonly [column: string]: Resolved }; readonly columns: ColumnKinds }
  | { readonly op: "else"; readonly of: Resolved; readonly otherwise: Resolved };

export interface ResolvedJson {
  readonly kind: "json";
  readonly value: Json;
}

export interface ResolvedList {
  readonly kind: "list";
  readonly count: number;
  at(index: number): Resolved;
  /** A hash that stands for the whole list, where that is cheaper than hashing its items. */
  identity?(): string;
}

/** What can be done with manifests; the data package does it. All of it is pure given the content of the store. */
export interface ValueOps {
  rows(dataset: DatasetValue): ResolvedList;
  chunks(dataset: DatasetValue, size: number): ResolvedList;
  column(dataset: DatasetValue, column: string): ResolvedList;
  pick(dataset: DatasetValue, columns: readonly string[]): DatasetValue;
  /** `columns` says what there is when there are no rows to tell. */
  merge(datasets: readonly DatasetValue[], columns: ColumnKinds): DatasetValue;
  table(lists: { readonly [name: string]: readonly (FileValue | ResolvedJson)[] }, columns: ColumnKinds): DatasetValue;
  files(directory: DirectoryValue, glob: string): ResolvedList;
  /** The identity of a value in cache keys. */
  hash(value: Resolved): string;
}

export function listOf(items: readonly Resolved[]): ResolvedList {
  return { kind: "list", count: items.length, at: (index) => items[index] as Resolved };
}

export function itemsOf(list: ResolvedList): Resolved[] {
  return Array.from({ length: list.count }, (_, index) => list.at(index));
}

/** The first thing in a value that is not known yet. */
export function unknownIn(value: Resolved): string | undefined {
  switch (value.kind) {
    case "unknown":
      return value.because;
    case "list":
      for (let i = 0; i < value.count; i++) {
        const why = unknownIn(value.at(i));
        if (why !== undefined) return why;
      }
      return undefined;
    case "record":
      for (const field of Object.values(value.fields)) {
        const why = unknownIn(field);
        if (why !== undefined) return why;
      }
      return undefined;
    default:
      return undefined;
  }
}
