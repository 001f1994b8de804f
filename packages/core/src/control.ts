import { isJson, type Json, NAME, WfError } from "@wf/protocol";
import { z } from "zod";
import type { ArtifactType, Columns, Slot } from "./artifact-type.ts";
import { whyNotAssignable } from "./assignable.ts";
import { currentBuilder } from "./graph-builder.ts";
import {
  type AnyCollection,
  Collection,
  columnKinds,
  DatasetHandle,
  type FileHandle,
  Handle,
  handleOf,
  JsonHandle,
  Maybe,
  recordElement,
} from "./handle.ts";
import type { Comparison, Ref } from "./ref.ts";
import { splitsOf } from "./result.ts";
import { currentLine, showLine } from "./source-line.ts";
import type { Split } from "./split.ts";
import type { HandleFor, SplitOf } from "./task.ts";

type Listed<T> = T extends Handle ? T : JsonHandle<T, never>;

/** A list that is known now, to map over: values, or artifacts. `each(["a", "b"]).map((letter) => …)`. */
export function each<const T>(list: readonly T[]): Collection<Listed<T>> {
  if (list.some((item) => item instanceof Handle)) {
    const handles = list as readonly unknown[] as readonly Handle[];
    const splits = splitsOf(handles);
    const { type } = widest(handles);
    return new Collection(
      { ref: "list", items: handles.map((handle) => handle.ref) },
      (ref) => handleOf(ref, type, splits) as Listed<T>,
    );
  }
  const strange = list.findIndex((item) => !isJson(item));
  if (strange !== -1) {
    throw new WfError("WF_INPUT_TYPE", `each(): element ${strange} is neither an artifact nor a JSON value`, {
      where: showLine(currentLine()),
      hint: "artifacts stand in a list of their own; zip() walks several lists side by side",
    });
  }
  const schema = schemaOfExample(list[0]);
  return new Collection(
    { ref: "items", of: { ref: "const", value: list as unknown as Json } },
    (ref) => new JsonHandle(ref, { kind: "json", schema }, []) as unknown as Listed<T>,
  );
}

/** A body is written once for all elements, so one of them must have a type that the others fit. */
function widest(handles: readonly Handle[]): Handle {
  const fits = (other: unknown, handle: Handle) =>
    other instanceof Handle && whyNotAssignable(other.type, handle.type) === undefined;
  const found = handles.find((handle) => handle instanceof Handle && handles.every((other) => fits(other, handle)));
  if (found) return found;
  throw new WfError("WF_INPUT_TYPE", "each(): the elements are not artifacts of one type", {
    where: showLine(currentLine()),
    hint: "make a list of artifacts of the same type",
  });
}

function schemaOfExample(value: unknown): z.ZodType | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return z.object(Object.fromEntries(Object.keys(value).map((key) => [key, z.any()])));
}

type Zipped<Z extends Readonly<Record<string, AnyCollection>>> = {
  readonly [K in keyof Z]: Z[K] extends Collection<infer E extends Handle> ? E : never;
};

/** Collections walked side by side; they must have the same length. `zip({ image, mask }).map(({ image, mask }) => …)`. */
export function zip<Z extends Readonly<Record<string, Collection<Handle>>>>(of: Z): Collection<Zipped<Z>> {
  return new Collection(
    { ref: "zip", of: refsOfCollections("zip()", of) },
    (ref) => recordElement(of)(ref) as Zipped<Z>,
  );
}

function refsOfCollections(what: string, of: Readonly<Record<string, AnyCollection>>): Record<string, Ref> {
  const refs: Record<string, Ref> = {};
  for (const [name, collection] of Object.entries(of)) {
    if (!(collection instanceof Collection) || !(collection.element({ ref: "absent" }) instanceof Handle)) {
      throw new WfError("WF_INPUT_TYPE", `${what}: "${name}" is no collection of single artifacts`, {
        where: showLine(currentLine()),
        hint: 'pass collections, such as scans.column("image") or what map() gives',
      });
    }
    refs[name] = collection.ref;
  }
  return refs;
}

type ColumnCollections = Readonly<Record<string, Collection<FileHandle> | Collection<JsonHandle>>>;
type ColumnsOf<Z extends ColumnCollections> = {
  readonly [K in keyof Z]: Z[K] extends Collection<infer E> ? (E extends Handle<infer T> ? T : never) : never;
};
type SplitsOfCollections<Z extends ColumnCollections> = { [K in keyof Z]: SplitOf<Z[K]> }[keyof Z];

/** A dataset whose columns are collections: `datasetOf({ image: scans, mask: predicted.mask })`. */
export function datasetOf<Z extends ColumnCollections>(
  of: Z,
): DatasetHandle<ColumnsOf<Z> extends Columns ? ColumnsOf<Z> : never, Extract<SplitsOfCollections<Z>, Split>> {
  const refs = refsOfCollections("datasetOf()", of);
  const columns: Record<string, ArtifactType> = {};
  for (const [name, collection] of Object.entries(of))
    columns[name] = (collection.element({ ref: "absent" }) as Handle).type;
  return new DatasetHandle(
    { ref: "table", of: refs, columns: columnKinds(columns as Columns) },
    { kind: "dataset", columns } as never,
    splitsOf(of),
  ) as never;
}

type Condition<S extends Split = Split> = JsonHandle<boolean, S>;
/** A branch's results; what only one branch gives may be absent. */
type Perhaps<R> = R extends Handle
  ? Maybe<R>
  : R extends Maybe | AnyCollection
    ? R
    : { readonly [K in Exclude<keyof R, "metrics">]: R[K] extends Handle ? Maybe<R[K]> : R[K] };

/** What a body gives is what it returns: of a whole call of a task, the outputs; a metric is returned by its name. */
type Returned<R> = R extends Handle | Maybe | AnyCollection ? R : { readonly [K in Exclude<keyof R, "metrics">]: R[K] };

/** Runs the one branch or the other, when the condition is known. Without `otherwise` the results may be absent. */
export function when<R>(condition: Condition, then: () => R): Perhaps<R>;
export function when<R>(condition: Condition, then: () => R, otherwise: () => R): Returned<R>;
export function when<R>(condition: Condition, then: () => R, otherwise?: () => R): Returned<R> | Perhaps<R> {
  return currentBuilder("when()").addWhen(asCondition(condition, "when()"), then, otherwise) as Returned<R>;
}

/**
 * What fails inside of the body leaves its results absent, and the run goes on: one unreadable scan of ten thousand,
 * one setting with which a training breaks. `scans.map((scan) => tolerate(() => measure({ scan })))`
 */
export function tolerate<R>(body: () => R): Perhaps<R> {
  return currentBuilder("tolerate()").addTolerate(body) as Perhaps<R>;
}

/** Puts the stages of the body under a name: `part("search", () => …)` makes `search/train`. */
export function part<R>(name: string, body: () => R): R {
  if (!NAME.test(name)) {
    throw new WfError("WF_DECLARATION", `"${name}" is not a name for a part`, {
      where: showLine(currentLine()),
      hint: "use letters, digits, - and _, and a letter first",
    });
  }
  return currentBuilder("part()").within(name, body);
}

/** `score > 0.9` compares now, when there is no score: the answer would be a plain boolean, and wrong. */
function asCondition(condition: unknown, what: string): Condition {
  if (condition instanceof JsonHandle) return condition as Condition;
  throw new WfError("WF_INPUT_TYPE", `the condition of ${what} is no value that a run will know`, {
    where: showLine(currentLine()),
    hint: "compare with atLeast(), atMost(), above(), below() or equals(): when(atLeast(score, 0.9), …)",
  });
}

type State = Readonly<Record<string, Handle | Maybe>>;
type AnySplit<H> = H extends Handle<infer T> ? HandleFor<T, Split> : never;
type NextState<S extends State> = {
  readonly [K in keyof S]: S[K] extends Maybe<infer H> ? AnySplit<H> | Maybe<AnySplit<H>> : AnySplit<S[K]>;
};

/**
 * A bounded loop: "train again until the validation score is at least 0.9, at most three times".
 * The first round is given `start`, later ones what the round before returned under the same names.
 * The result is that of the last round.
 *
 * ```ts
 * repeat({ model: nothing(file("pt")) }, ({ model }) => {
 *   const again = train({ data, start: model });
 *   return { model: again.model, score: again.metrics.score };
 * }, { atMost: 3, until: ({ score }) => atLeast(score, 0.9) });
 * ```
 */
export function repeat<const S extends State, R extends NextState<S>>(
  start: S,
  round: (state: S, number: JsonHandle<number, never>) => R,
  options: { readonly atMost: number; readonly until: (result: R) => Condition },
): Returned<R> {
  if (!Number.isInteger(options.atMost) || options.atMost < 1) {
    throw new WfError("WF_DECLARATION", `repeat() with atMost ${options.atMost}: a whole number above 0 is wanted`, {
      where: showLine(currentLine()),
      hint: "say how often the body may run at most",
    });
  }
  const until = (result: R) => asCondition(options.until(result), "repeat()");
  const builder = currentBuilder("repeat()");
  return builder.addRepeat(start, options.atMost, round as never, until as never) as Returned<R>;
}

/** Nothing yet, where an artifact may be absent: the first round of a loop has no checkpoint. */
export function nothing<T extends ArtifactType>(slot: Slot<T, Split | "inherit", "one">): Maybe<HandleFor<T, never>> {
  return new Maybe(handleOf({ ref: "absent" }, slot.type, [])) as never;
}

type Comparable<T> = JsonHandle<T> | T;

function compare<T extends Json>(op: Comparison, left: JsonHandle<T>, right: Comparable<T>): Condition {
  if (!(left instanceof JsonHandle) || (right instanceof Handle && !(right instanceof JsonHandle))) {
    throw new WfError("WF_INPUT_TYPE", "only values can be compared, and this is none", {
      where: showLine(currentLine()),
      hint: "compare a metric or a JSON output: atLeast(trained.metrics.dice, 0.9)",
    });
  }
  const other: Ref = right instanceof JsonHandle ? right.ref : { ref: "const", value: right };
  const splits = splitsOf([left, right]);
  return new JsonHandle<boolean>(
    { ref: "compare", op, left: left.ref, right: other },
    { kind: "json", schema: z.boolean() },
    splits,
  );
}

export const atLeast = (value: JsonHandle<number>, limit: Comparable<number>): Condition => compare(">=", value, limit);
export const atMost = (value: JsonHandle<number>, limit: Comparable<number>): Condition => compare("<=", value, limit);
export const above = (value: JsonHandle<number>, limit: Comparable<number>): Condition => compare(">", value, limit);
export const below = (value: JsonHandle<number>, limit: Comparable<number>): Condition => compare("<", value, limit);
export const equals = <T extends Json>(value: JsonHandle<T>, other: Comparable<T>): Condition =>
  compare("==", value, other);

function logic(op: "and" | "or" | "not", of: readonly Condition[]): Condition {
  const refs = of.map(
    (condition) => asCondition(condition, `${op === "not" ? "not" : op === "and" ? "both" : "either"}()`).ref,
  );
  return new JsonHandle<boolean>({ ref: "logic", op, of: refs }, { kind: "json", schema: z.boolean() }, splitsOf(of));
}

export const both = (...of: readonly Condition[]): Condition => logic("and", of);
export const either = (...of: readonly Condition[]): Condition => logic("or", of);
export const not = (condition: Condition): Condition => logic("not", [condition]);
