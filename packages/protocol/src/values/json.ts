export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * How deep lists and objects of a value lie in each other at most: whoever hashes, checks or prints it goes down step by
 * step. `quick_json.py` of the launcher has the same.
 */
export const MOST_NESTED = 256;
/** A document, such as a record, holds values a few steps down. */
export const MOST_NESTED_DOCUMENT = MOST_NESTED + 8;

/** Whether lists and objects lie in each other at most so deep. Of a value that was parsed: it holds itself nowhere. */
export function isNestedWithin(levels: number, value: unknown): boolean {
  if (value === null || typeof value !== "object") return true;
  if (levels === 0) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => isNestedWithin(levels - 1, member));
}

/** Whether a value is JSON all the way down; members that are undefined count as left out. */
export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object" || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) return false;
  return Object.values(value).every((member) => member === undefined || isJson(member));
}

/**
 * One text per value, whatever the order of its keys: what cache keys and content hashes are made of.
 * Law: canonical(a) === canonical(b) if and only if a and b are the same JSON value.
 */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const record = value as { readonly [key: string]: Json };
    const members = Object.keys(record)
      .filter((key) => record[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(record[key] as Json)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}
