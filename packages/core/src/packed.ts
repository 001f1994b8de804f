import { WfError } from "@wf/protocol";
import { knownOnly } from "./known-only.ts";
import type { Ref } from "./ref.ts";
import { isResult, type Result, refOf, whyNotResult } from "./result.ts";
import { type SourceLine, showLine } from "./source-line.ts";

/** A node's results under the name that the results of a whole body have when it returns a single thing. */
const SINGLE = "value";

/** What a body returns: one thing, or several by name. */
export interface Packed {
  readonly single: boolean;
  readonly results: Readonly<Record<string, Result>>;
}

export function pack(result: unknown, where: string | undefined, what: string): Packed {
  if (isResult(result)) return { single: true, results: { [SINGLE]: result } };
  if (result === undefined || result === null) return { single: false, results: {} };
  if (result instanceof Promise) return notAResult(what, "a promise", where);
  if (typeof result !== "object") return notAResult(what, JSON.stringify(result) ?? typeof result, where);
  const results: Record<string, Result> = {};
  for (const [name, value] of Object.entries(result)) {
    results[name] = isResult(value) ? value : notAResult(what, `"${name}"`, where);
  }
  return { single: false, results };
}

function notAResult(what: string, name: string, where: string | undefined): never {
  throw new WfError("WF_INPUT_TYPE", `${what} returns ${name}, which is no artifact`, {
    where,
    hint: "return outputs of tasks, by name: return { report: evaluate(…).report }",
  });
}

/** Code after a condition works with either branch: both give the same names, and of two types the wider one counts. */
export function joinBranches(yes: Packed, no: Packed, at: SourceLine | undefined): Packed {
  const differ = (why: string): never => {
    throw new WfError("WF_INPUT_TYPE", `the branches of when() do not give the same: ${why}`, {
      where: showLine(at),
      hint: "return the same names with artifacts of the same type from both",
    });
  };
  if (yes.single !== no.single) differ("one returns a single artifact, the other several by name");
  const results: Record<string, Result> = {};
  for (const name of new Set([...Object.keys(yes.results), ...Object.keys(no.results)])) {
    const one = yes.results[name] ?? differ(`only the second returns "${name}"`);
    const other = no.results[name] ?? differ(`only the first returns "${name}"`);
    const why = whyNotResult(other, one);
    if (why && whyNotResult(one, other)) differ(`"${name}" of the second: ${why}`);
    results[name] = why ? other : one;
  }
  return { single: yes.single, results };
}

/** What a round returns must be what later rounds were written for. */
export function checkNextState(
  what: string,
  wanted: Readonly<Record<string, Result>>,
  given: Packed,
  at: SourceLine | undefined,
): void {
  for (const [name, type] of Object.entries(wanted)) {
    const result = given.results[name];
    if (!result) {
      throw new WfError("WF_OUTPUT_UNKNOWN", `the body of ${what} does not return "${name}", which later rounds need`, {
        where: showLine(at),
        hint: `return { ${name}: … } as well`,
      });
    }
    const why = whyNotResult(result, type);
    if (why) {
      throw new WfError("WF_INPUT_TYPE", `later rounds of ${what} cannot take "${name}": ${why}`, {
        where: showLine(at),
        hint: "return the type that was named at the start, under the same name",
      });
    }
  }
}

export function unpack(packed: Packed, what: string, make: (name: string, template: Result) => unknown): unknown {
  if (packed.single) return make(SINGLE, packed.results[SINGLE] as Result);
  const made = Object.entries(packed.results).map(([name, template]) => [name, make(name, template)]);
  return knownOnly(Object.fromEntries(made), "WF_OUTPUT_UNKNOWN", `the body of ${what} returns no`, (name, names) =>
    name === "metrics"
      ? `it returns: ${names}. Metrics are returned by name: return { …, loss: trained.metrics.loss }`
      : `it returns: ${names}`,
  );
}

export function refsOfResults(packed: Packed): Record<string, Ref> {
  return Object.fromEntries(Object.entries(packed.results).map(([name, result]) => [name, refOf(result)]));
}
