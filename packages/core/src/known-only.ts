import { WfError } from "@wf/protocol";
import { currentLine, showLine } from "./source-line.ts";

/** An object whose unknown names are errors at the user's line, as they are to the compiler. */
export function knownOnly<T extends object>(
  known: T,
  code: "WF_METRIC_UNKNOWN" | "WF_OUTPUT_UNKNOWN",
  what: string,
  hintFor: (name: string, known: string) => string,
): T {
  return new Proxy(known, {
    get(target, name) {
      if (typeof name === "symbol" || name in target || name === "toJSON" || name === "then")
        return Reflect.get(target, name);
      throw new WfError(code, `${what} "${name}"`, {
        where: showLine(currentLine()),
        hint: hintFor(name, Object.keys(target).join(", ") || "none"),
      });
    },
  });
}
