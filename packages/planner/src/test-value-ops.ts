import { canonical, type DatasetValue, type DirectoryValue, type FileValue, type Json, sha256 } from "@wf/protocol";
import { itemsOf, type Resolved, type ResolvedJson, type ResolvedList, type ValueOps } from "./resolved.ts";

type Cell = FileValue | ResolvedJson;
type Row = { readonly [column: string]: Cell };

/** The data package's work done in memory, so that the planner can be tested without files. */
export class MemoryValues implements ValueOps {
  readonly #datasets = new Map<string, { readonly count: number; row(index: number): Row }>();
  readonly #directories = new Map<string, readonly FileValue[]>();

  file(name: string, content = name): FileValue {
    return { kind: "file", hash: sha256(content), size: content.length, name };
  }

  directory(...names: readonly string[]): DirectoryValue {
    const files = names.map((name) => this.file(name));
    const hash = sha256(canonical(files.map(({ name, hash }) => [name, hash])));
    this.#directories.set(hash, files);
    return { kind: "directory", hash, size: 0, files: files.length };
  }

  dataset(rows: readonly Row[]): DatasetValue {
    const hash = sha256(canonical(rows.map((row) => this.#rowHash(row))));
    return this.#add(hash, rows.length, (index) => rows[index] as Row);
  }

  /** Its rows are made when they are asked for. */
  lazyDataset(count: number, row: (index: number) => Row): DatasetValue {
    return this.#add(sha256(`lazy ${count}`), count, row);
  }

  rows(dataset: DatasetValue): ResolvedList {
    const { count, row } = this.#datasetOf(dataset);
    return { kind: "list", count, at: (index) => ({ kind: "record", fields: row(index) }) };
  }

  chunks(dataset: DatasetValue, size: number): ResolvedList {
    const rows = this.#rowsOf(dataset);
    return {
      kind: "list",
      count: Math.ceil(rows.length / size),
      at: (index) => this.dataset(rows.slice(index * size, (index + 1) * size)),
    };
  }

  column(dataset: DatasetValue, column: string): ResolvedList {
    const { count, row } = this.#datasetOf(dataset);
    return { kind: "list", count, at: (index) => row(index)[column] as Cell };
  }

  pick(dataset: DatasetValue, columns: readonly string[]): DatasetValue {
    const kept = (row: Row) => Object.fromEntries(columns.map((name) => [name, row[name] as Cell]));
    return this.dataset(this.#rowsOf(dataset).map(kept));
  }

  merge(datasets: readonly DatasetValue[]): DatasetValue {
    return this.dataset(datasets.flatMap((dataset) => this.#rowsOf(dataset)));
  }

  table(lists: { readonly [name: string]: readonly Cell[] }): DatasetValue {
    const count = Object.values(lists)[0]?.length ?? 0;
    const row = (index: number) =>
      Object.fromEntries(Object.entries(lists).map(([name, cells]) => [name, cells[index] as Cell]));
    return this.dataset(Array.from({ length: count }, (_, index) => row(index)));
  }

  files(directory: DirectoryValue, glob: string): ResolvedList {
    const ending = glob.replace("*", "");
    const files = (this.#directories.get(directory.hash) ?? []).filter(({ name }) => name.endsWith(ending));
    return { kind: "list", count: files.length, at: (index) => files[index] as FileValue };
  }

  hash(value: Resolved): string {
    return sha256(canonical(this.#identity(value)));
  }

  #identity(value: Resolved): Json {
    switch (value.kind) {
      case "file":
        return ["file", value.hash, value.name];
      case "directory":
      case "dataset":
        return [value.kind, value.hash];
      case "json":
        return ["json", value.value];
      case "list":
        return ["list", ...itemsOf(value).map((item) => this.#identity(item))];
      case "record":
        return this.#rowHash(value.fields);
      case "absent":
      case "unknown":
        return [value.kind];
    }
  }

  #rowHash(row: { readonly [column: string]: Resolved }): Json {
    return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, this.#identity(cell)]));
  }

  #add(hash: string, count: number, row: (index: number) => Row): DatasetValue {
    this.#datasets.set(hash, { count, row });
    return { kind: "dataset", hash, size: 0, files: 0, rows: count };
  }

  #datasetOf({ hash }: DatasetValue): { readonly count: number; row(index: number): Row } {
    const found = this.#datasets.get(hash);
    if (!found) throw new Error(`no dataset ${hash}`);
    return found;
  }

  #rowsOf(dataset: DatasetValue): Row[] {
    const { count, row } = this.#datasetOf(dataset);
    return Array.from({ length: count }, (_, index) => row(index));
  }
}
