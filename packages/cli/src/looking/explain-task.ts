import { diffValues, ObjectStore, type ValueDiff } from "@wf/data";
import { type KeyPart, type Value, WfError } from "@wf/protocol";
import { RunSettings } from "@wf/run";
import type { KeyedTask, Store, TaskState } from "@wf/store";
import { givenValues } from "./given-values.ts";

/** One part of a key that is not what it was. */
export interface PartChange {
  /** `input train`, `param lr`, `code script`, `command`. */
  readonly part: string;
  readonly change: "changed" | "new" | "gone";
  readonly before?: string;
  readonly after?: string;
  /** What exactly differs, where the contents can be compared. */
  readonly diff?: ValueDiff;
}

export type Reason =
  | {
      readonly why: "cached";
      readonly from: { readonly run: string; readonly task: string };
      readonly parts: readonly KeyPart[];
    }
  | { readonly why: "never-reused" }
  | { readonly why: "never-ran-before" }
  | { readonly why: "not-run"; readonly state: TaskState }
  | { readonly why: "cache-not-used"; readonly earlier: { readonly run: string; readonly task: string } }
  | { readonly why: "result-gone"; readonly earlier: { readonly run: string; readonly task: string } }
  | {
      readonly why: "key-differs";
      readonly earlier: { readonly run: string; readonly task: string };
      readonly changes: readonly PartChange[];
      readonly unchanged: readonly string[];
    };

/** Why a task ran or was spared: its key, part by part, against the best earlier task to compare it with. */
export function explainTask(store: Store, run: string, name: string): Reason {
  const task = store.task(run, name);
  const { key, earlier } = store.keyOf(run, name);
  if (task.cachedFrom !== null) return { why: "cached", from: task.cachedFrom, parts: key?.parts ?? [] };
  if (task.state === "skipped" || (task.state === "cancelled" && task.attempts === 0))
    return { why: "not-run", state: task.state };
  if (key === null) return { why: "never-reused" };
  if (earlier === null) return { why: "never-ran-before" };
  const comparedWith = { run: earlier.run, task: earlier.task };
  if (key.key === earlier.key) {
    const usesCache = (store.run(run).options as { useCache?: boolean } | null)?.useCache !== false;
    return { why: usesCache ? "result-gone" : "cache-not-used", earlier: comparedWith };
  }
  const changes = changesOf(store, key, earlier, task.stage);
  const changed = new Set(changes.map(({ part }) => part));
  const unchanged = key.parts.map((part) => part.name).filter((part) => !changed.has(part));
  return { why: "key-differs", earlier: comparedWith, changes, unchanged };
}

/** How the key of one task differs from that of another one; nothing where one of them has none. */
export function changesBetween(
  store: Store,
  before: { readonly run: string; readonly task: string },
  now: { readonly run: string; readonly task: string },
): PartChange[] {
  const [earlier, later] = [store.keyOf(before.run, before.task).key, store.keyOf(now.run, now.task).key];
  if (earlier === null || later === null) return [];
  return changesOf(store, later, earlier, store.task(now.run, now.task).stage);
}

function changesOf(store: Store, now: KeyedTask, before: KeyedTask, stage: string): PartChange[] {
  const earlierParts = new Map(before.parts.map((part) => [part.name, part]));
  const contents = new Contents(store, now, before, stage);
  const changes: PartChange[] = [];
  for (const part of now.parts) {
    const earlier = earlierParts.get(part.name);
    earlierParts.delete(part.name);
    if (earlier === undefined) changes.push({ part: part.name, change: "new", ...text("after", part) });
    else if (earlier.hash !== part.hash) {
      const diff = contents.diff(part.name);
      const texts = { ...text("before", earlier), ...text("after", part) };
      changes.push({ part: part.name, change: "changed", ...texts, ...(diff === undefined ? {} : { diff }) });
    }
  }
  for (const part of earlierParts.values()) changes.push({ part: part.name, change: "gone", ...text("before", part) });
  return changes;
}

function text(when: "before" | "after", part: KeyPart): { before?: string; after?: string } {
  return part.text === undefined ? {} : { [when]: part.text };
}

/** What the parts of two keys stand for, as far as it can still be read. */
class Contents {
  readonly #objects: ObjectStore;
  readonly #before: ReadonlyMap<string, Value>;
  readonly #after: ReadonlyMap<string, Value>;

  constructor(store: Store, now: KeyedTask, before: KeyedTask, stage: string) {
    this.#objects = new ObjectStore(store.folder);
    this.#before = this.#contentsOf(store, before, stage);
    this.#after = this.#contentsOf(store, now, stage);
  }

  diff(part: string): ValueDiff | undefined {
    const [before, after] = [this.#before.get(part), this.#after.get(part)];
    if (before === undefined || after === undefined) return undefined;
    return ifThere(() => diffValues(this.#objects, before, after));
  }

  #contentsOf(store: Store, { run, task }: KeyedTask, stage: string): ReadonlyMap<string, Value> {
    const settings = RunSettings.safeParse(store.run(run).options);
    const code = (settings.success ? settings.data.code[stage] : undefined) ?? [];
    const inputs = ifThere(() => givenValues(store, this.#objects, run, task)) ?? new Map<string, Value>();
    return new Map<string, Value>([
      ...code.map(({ name, value }) => [`code ${name}`, value] as const),
      ...[...inputs].map(([name, value]) => [`input ${name}`, value] as const),
    ]);
  }
}

/** Content that was collected as garbage cannot be compared; that it changed is still known. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WfError && error.code === "WF_ARTIFACT_MISSING") return undefined;
    throw error;
  }
}
