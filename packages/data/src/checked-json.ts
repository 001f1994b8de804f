import { canonical, type Json, MOST_NESTED, WfError } from "@wf/protocol";

const MOST_SHOWN = 80;

/**
 * The canonical text of a value that came from someone's own code, where types say nothing at run time.
 * JSON has no NaN, no Infinity, no `undefined` in a list, no Date and no cycle: each is refused with its place. So is
 * what is nested without end.
 */
export function checkedJson(value: unknown): string {
  check(value, "value", new Set());
  return canonical(value as Json);
}

function check(value: unknown, at: string, above: Set<object>): void {
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      throw notJson(at, `is ${value}`);
    case "object":
      if (value === null) return;
      if (above.has(value)) throw notJson(at, "holds itself");
      if (above.size === MOST_NESTED) throw notJson(at, `is nested more than ${MOST_NESTED} deep`);
      above.add(value);
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index += 1) check(value[index], `${at}[${index}]`, above);
      } else {
        if (!isPlain(value)) throw notJson(at, `is a ${value.constructor?.name ?? "special object"}`);
        for (const [key, member] of Object.entries(value)) {
          if (member !== undefined) check(member, `${at}.${key}`, above);
        }
      }
      above.delete(value);
      return;
    default:
      throw notJson(at, `is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}`);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notJson(at: string, what: string): WfError {
  const place = at.length > MOST_SHOWN ? `${at.slice(0, MOST_SHOWN)}…` : at;
  return new WfError("WF_INPUT_TYPE", `${place} ${what}, which JSON cannot hold`, {
    hint: "Use null, booleans, finite numbers, strings, lists and plain objects.",
  });
}
