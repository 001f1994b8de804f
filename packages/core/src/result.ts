import type { ArtifactType } from "./artifact-type.ts";
import { whyNotAssignable } from "./assignable.ts";
import { type AnyCollection, Collection, type Element, Handle, handleOf, Maybe } from "./handle.ts";
import type { Ref } from "./ref.ts";
import { type SplitSet, unionOfSplits } from "./split.ts";

/** What the body of a map, a condition or a loop gives, and what a workflow returns. */
export type Result = Handle | Maybe | AnyCollection;

export function isCollection(value: unknown): value is AnyCollection {
  return value instanceof Collection;
}

export function isResult(value: unknown): value is Result {
  return value instanceof Handle || value instanceof Maybe || isCollection(value);
}

export function refOf(result: Result): Ref {
  return result instanceof Maybe ? result.handle.ref : result.ref;
}

/** The same kind of thing, found elsewhere; `splits` where it may be made from more than the template is. */
export function withRef(template: Result, ref: Ref, splits?: SplitSet): Result {
  if (template instanceof Maybe) return new Maybe(withRef(template.handle, ref, splits) as Handle);
  if (template instanceof Handle) return handleOf(ref, template.type as ArtifactType, splits ?? template.splits);
  const element = (item: Ref) => template.element(item);
  return new Collection(ref, splits === undefined ? element : (item) => withSplits(element(item), splits));
}

function withSplits(element: Element, splits: SplitSet): Element {
  if (isResult(element)) return withRef(element, refOf(element), splits);
  return Object.fromEntries(Object.entries(element).map(([name, part]) => [name, withRef(part, refOf(part), splits)]));
}

/** What something was made from; plain values are made from no data. */
export function splitsOf(value: unknown): SplitSet {
  if (value instanceof Handle) return value.splits;
  if (value instanceof Maybe) return splitsOf(value.handle);
  if (isCollection(value)) return splitsOf(value.element({ ref: "absent" }));
  if (Array.isArray(value)) return unionOfSplits(value.map(splitsOf));
  if (value && typeof value === "object") return unionOfSplits(Object.values(value).map(splitsOf));
  return [];
}

/** The compiler's rule for whole results: may `given` stand where code was written for `wanted`? Returns why not. */
export function whyNotResult(given: Element | undefined, wanted: Element): string | undefined {
  if (wanted instanceof Maybe) return whyNotResult(given instanceof Maybe ? given.handle : given, wanted.handle);
  if (wanted instanceof Handle) {
    if (given instanceof Handle) return whyNotAssignable(given.type, wanted.type);
    return given instanceof Maybe ? "it may be absent" : "it is no single artifact";
  }
  if (isCollection(wanted)) {
    if (!isCollection(given)) return "it is no collection";
    return whyNotResult(given.element({ ref: "absent" }), wanted.element({ ref: "absent" }));
  }
  const parts = given as Readonly<Record<string, Element>>;
  for (const [name, part] of Object.entries(wanted)) {
    const why = isResult(given) ? "it is no record" : whyNotResult(parts[name], part);
    if (why) return `"${name}": ${why}`;
  }
  return undefined;
}
