import { WfError } from "@wf/protocol";
import { z } from "zod";
import type { ArtifactType, Columns, DatasetType, DirectoryType, FileType, JsonType } from "./artifact-type.ts";
import { whyNotAssignable } from "./assignable.ts";
import { ownMember } from "./own-member.ts";
import type { ColumnKinds, Ref } from "./ref.ts";
import { currentLine, showLine } from "./source-line.ts";
import { type Split, type SplitSet, unionOfSplits } from "./split.ts";

/** What a workflow passes from task to task: a typed promise of an artifact. Passing one builds an edge. */
export abstract class Handle<T extends ArtifactType = ArtifactType, S extends Split = Split> {
  /** Phantom: the splits that the artifact was made from. */
  declare readonly __split: S;
  readonly ref: Ref;
  readonly type: T;
  readonly splits: SplitSet;

  constructor(ref: Ref, type: T, splits: SplitSet) {
    this.ref = ref;
    this.type = type;
    this.splits = splits;
  }
}

export class FileHandle<F extends string = string, S extends Split = Split> extends Handle<FileType<F>, S> {
  declare readonly __kind: "file";
}

export class DirectoryHandle<S extends Split = Split> extends Handle<DirectoryType, S> {
  declare readonly __kind: "directory";

  /** The files in it, one by one: `folder.files("*.png")`. */
  files<F extends string = string>(glob: `*.${F}` | (string & {}) = "**"): Collection<FileHandle<F, S>> {
    const format = /^\*\.([A-Za-z0-9.+-]+)$/.exec(glob)?.[1] as F | undefined;
    const type: FileType<F> = format === undefined ? { kind: "file" } : { kind: "file", format };
    const splits = this.splits;
    return new Collection({ ref: "files", of: this.ref, glob }, (ref) => new FileHandle<F, S>(ref, type, splits));
  }
}

type RowOf<C extends Columns, S extends Split> = {
  readonly [K in keyof C]: C[K] extends FileType<infer F>
    ? FileHandle<F, S>
    : C[K] extends JsonType<infer T>
      ? JsonHandle<T, S>
      : never;
};

export class DatasetHandle<C extends Columns = Columns, S extends Split = Split> extends Handle<DatasetType<C>, S> {
  declare readonly __kind: "dataset";

  /** Row by row, each with its aligned columns. */
  rows(): Collection<RowOf<C, S>> {
    const { columns } = this.type;
    const splits = this.splits;
    return new Collection(
      { ref: "rows", of: this.ref },
      (ref) =>
        Object.fromEntries(
          Object.entries(columns).map(([name, type]) => [
            name,
            handleOf({ ...itemField(ref), field: name }, type, splits),
          ]),
        ) as RowOf<C, S>,
    );
  }

  /** Pieces of at most `size` rows, in order. */
  chunks(options: { readonly size: number }): Collection<DatasetHandle<C, S>> {
    if (!Number.isInteger(options.size) || options.size < 1) {
      throw new WfError(
        "WF_DECLARATION",
        `chunks({ size: ${options.size} }): the size must be a whole number above 0`,
        { where: showLine(currentLine()), hint: "say how many rows a piece has at most: chunks({ size: 32 })" },
      );
    }
    const { type, splits } = this;
    return new Collection(
      { ref: "chunks", of: this.ref, size: options.size },
      (ref) => new DatasetHandle<C, S>(ref, type, splits),
    );
  }

  /** The same rows with these columns only. */
  pick<K extends keyof C & string>(...columns: readonly K[]): DatasetHandle<Pick<C, K>, S> {
    const kept = Object.fromEntries(columns.map((name) => [name, this.#column(name)]));
    return new DatasetHandle(
      { ref: "pick", of: this.ref, columns },
      { kind: "dataset", columns: kept as Pick<C, K> },
      this.splits,
    );
  }

  /** One column as a collection: `scans.column("image")`. */
  column<K extends keyof C & string>(name: K): Collection<RowOf<C, S>[K]> {
    const type = this.#column(name);
    const splits = this.splits;
    return new Collection(
      { ref: "column", of: this.ref, column: name },
      (ref) => handleOf(ref, type, splits) as unknown as RowOf<C, S>[K],
    );
  }

  #column(name: string): FileType | JsonType {
    const type = ownMember(this.type.columns, name);
    if (type) return type;
    throw new WfError("WF_OUTPUT_UNKNOWN", `the dataset has no column "${name}"`, {
      where: showLine(currentLine()),
      hint: `its columns are: ${Object.keys(this.type.columns).join(", ")}`,
    });
  }
}

type FieldsOf<T, S extends Split> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { readonly [K in keyof T]-?: JsonHandle<NonNullable<T[K]>, S> }
    : never;

export class JsonHandle<T = unknown, S extends Split = Split> extends Handle<JsonType<T>, S> {
  declare readonly __kind: "json";
  declare readonly __value: T;

  /** The members of an object, as handles: `best.fields.lr`, or all of them by `...best.fields`. */
  get fields(): FieldsOf<T, S> {
    const { ref, splits } = this;
    const shape = objectShape(this.type.schema);
    const fieldOf = (name: string) =>
      new JsonHandle({ ref: "field", of: ref, name }, { kind: "json", schema: shape?.[name] }, splits);
    return new Proxy(Object.fromEntries(Object.keys(shape ?? {}).map((name) => [name, fieldOf(name)])), {
      get(known, name) {
        if (typeof name === "symbol" || name in known) return known[name as string];
        if (!shape) return fieldOf(name);
        throw new WfError("WF_OUTPUT_UNKNOWN", `the value has no field "${name}"`, {
          where: showLine(currentLine()),
          hint: `its fields are: ${Object.keys(shape).join(", ")}`,
        });
      },
    }) as unknown as FieldsOf<T, S>;
  }

  /** The elements of an array, to map over when the array exists. */
  items(): Collection<JsonHandle<T extends readonly (infer E)[] ? E : never, S>> {
    const { schema } = this.type;
    const element = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
    const splits = this.splits;
    return new Collection(
      { ref: "items", of: this.ref },
      (ref) => new JsonHandle(ref, { kind: "json", schema: element as never }, splits),
    );
  }
}

function objectShape(schema: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : undefined;
}

/** Something that may not be there: the result of a condition, or an optional output. */
export class Maybe<H extends Handle = Handle> {
  declare readonly __maybe: true;
  readonly handle: H;

  constructor(handle: H) {
    this.handle = handle;
  }

  /** This if it is there, else the other one. */
  orElse(other: H): H {
    const { handle } = this;
    const why = other instanceof Handle ? whyNotAssignable(other.type, handle.type) : "it is no artifact";
    if (why) {
      throw new WfError("WF_INPUT_TYPE", `orElse() cannot take the other one: ${why}`, {
        where: showLine(currentLine()),
        hint: "pass an artifact of the same type",
      });
    }
    const ref: Ref = { ref: "else", of: handle.ref, otherwise: other.ref };
    return handleOf(ref, handle.type, unionOfSplits([handle.splits, other.splits])) as unknown as H;
  }
}

/** What a collection holds: handles, or records of handles, or collections again. */
export type Element = Handle | Maybe | AnyCollection | { readonly [name: string]: Handle | Maybe | AnyCollection };

export interface AnyCollection {
  readonly ref: Ref;
  readonly element: (ref: Ref) => Element;
}

/** Turns a body that is written once into a node of the graph; the graph builder provides it. */
export type MapBody = (
  over: AnyCollection,
  body: (item: Element, index: JsonHandle<number, never>) => unknown,
) => unknown;
let mapBody: MapBody | undefined;
export function setMapBody(implementation: MapBody): void {
  mapBody = implementation;
}

/** What a map gives: one collection per result of its body. */
export type Collected<R> = R extends Handle | Maybe | AnyCollection
  ? R extends Element
    ? Collection<R>
    : never
  : { readonly [K in Exclude<keyof R, "metrics">]: R[K] extends Element ? Collection<R[K]> : never };

/** An ordered collection whose size may only be known at run time. */
export class Collection<out E extends Element> implements AnyCollection {
  readonly ref: Ref;
  readonly element: (ref: Ref) => E;

  constructor(ref: Ref, element: (ref: Ref) => E) {
    this.ref = ref;
    this.element = element;
  }

  /**
   * Fan-out: the body is written once and runs for every element, in parallel. Its `item` and `index` are handles,
   * so pass them on to tasks. The results are collections in the same order.
   */
  map<R>(body: (item: E, index: JsonHandle<number, never>) => R): Collected<R> {
    if (!mapBody) throw new WfError("WF_INTERNAL", "core was not set up");
    return mapBody(this, body as never) as Collected<R>;
  }

  /** A collection of collections, one after the other. */
  flat(): E extends Collection<infer Inner> ? Collection<Inner> : never {
    const inner = this.element({ ref: "absent" });
    if (!(inner instanceof Collection)) {
      throw new WfError("WF_INPUT_TYPE", "flat() needs a collection of collections", {
        where: showLine(currentLine()),
        hint: "a map inside of a map gives one",
      });
    }
    return new Collection({ ref: "flat", of: this.ref }, inner.element) as never;
  }

  /** Those that are there: what `tolerate()` or `when()` in a map has left, in order. */
  present(): E extends Maybe<infer H> ? Collection<H> : never {
    const inner = this.element({ ref: "absent" });
    if (!(inner instanceof Maybe)) {
      throw new WfError("WF_INPUT_TYPE", "present() needs a collection of what may be absent", {
        where: showLine(currentLine()),
        hint: "use the collection itself: all of it is there",
      });
    }
    const element = (ref: Ref) => (this.element(ref) as Maybe).handle;
    return new Collection({ ref: "present", of: this.ref }, element) as never;
  }

  /** Datasets put end to end into one. */
  merge(): E extends DatasetHandle ? E : never {
    const inner = this.element({ ref: "absent" });
    if (!(inner instanceof DatasetHandle)) {
      throw new WfError("WF_INPUT_TYPE", "merge() needs a collection of datasets", {
        where: showLine(currentLine()),
        hint: "make a dataset of collections of files with datasetOf({ column: files })",
      });
    }
    const columns = columnKinds(inner.type.columns);
    return new DatasetHandle({ ref: "merge", of: this.ref, columns }, inner.type, inner.splits) as never;
  }
}

/** The body's item is found by its scope; a field of it is one column of the row or of the zip. */
function itemField(ref: Ref): { ref: "item"; scope: number } {
  if (ref.ref === "item") return { ref: "item", scope: ref.scope };
  if (ref.ref === "absent") return { ref: "item", scope: -1 };
  throw new WfError("WF_INPUT_TYPE", "rows are used inside map()", {
    where: showLine(currentLine()),
    hint: "rows().map((row) => …)",
  });
}

export function recordElement<E extends { readonly [name: string]: AnyCollection }>(of: E) {
  return (ref: Ref): { readonly [name: string]: Element } =>
    Object.fromEntries(
      Object.entries(of).map(([name, collection]) => [name, collection.element({ ...itemField(ref), field: name })]),
    );
}

export function columnKinds(columns: Columns): ColumnKinds {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { kind }]) => [name, kind === "file" ? "file" : "value"]),
  );
}

export function handleOf(ref: Ref, type: ArtifactType, splits: SplitSet): Handle {
  switch (type.kind) {
    case "file":
      return new FileHandle(ref, type, splits);
    case "directory":
      return new DirectoryHandle(ref, type, splits);
    case "dataset":
      return new DatasetHandle(ref, type, splits);
    case "json":
      return new JsonHandle(ref, type, splits);
  }
}
