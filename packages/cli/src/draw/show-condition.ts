import type { Ref } from "@wf/core";

const SIGNS = { "<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "=", "!=": "≠" } as const;
const OPPOSITES = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==" } as const;

/** A comparison stays on one line. */
const UNBROKEN = "\u00a0";

/** A condition as people write it: `dice ≥ 0.9 and loss < 1`. */
export function showCondition(condition: Ref): string {
  const ref = isNot(condition) ? opposite(condition.of[0] as Ref) : condition;
  if (isNot(ref)) return `not ${showValue(ref.of[0] as Ref)}`;
  if (ref.ref === "compare") return [showValue(ref.left), SIGNS[ref.op], showValue(ref.right)].join(UNBROKEN);
  if (ref.ref === "logic") return ref.of.map(showPart).join(` ${ref.op} `);
  return showValue(ref);
}

function showPart(condition: Ref): string {
  const ref = isNot(condition) ? opposite(condition.of[0] as Ref) : condition;
  return ref.ref === "logic" && !isNot(ref) ? `(${showCondition(ref)})` : showCondition(ref);
}

/** True where the condition is false; said without a negation where there is a way. */
export function opposite(ref: Ref): Ref {
  if (ref.ref === "compare") return { ...ref, op: OPPOSITES[ref.op] };
  if (ref.ref !== "logic") return { ref: "logic", op: "not", of: [ref] };
  if (ref.op === "not") return ref.of[0] as Ref;
  return { ref: "logic", op: ref.op === "and" ? "or" : "and", of: ref.of.map(opposite) };
}

type Not = Extract<Ref, { ref: "logic" }> & { readonly op: "not" };

function isNot(ref: Ref): ref is Not {
  return ref.ref === "logic" && ref.op === "not";
}

function showValue(ref: Ref): string {
  switch (ref.ref) {
    case "const":
      return JSON.stringify(ref.value);
    case "output":
    case "metric":
    case "input":
    case "state":
    case "field":
      return ref.name;
    case "result":
      return ref.name === "value" ? ref.node.replace(/^[a-z]+:/, "") : ref.name;
    case "item":
      return ref.field ?? "element";
    case "index":
      return "number";
    case "else":
      return showValue(ref.of);
    case "compare":
    case "logic":
      return `(${showCondition(ref)})`;
    default:
      return "value";
  }
}
