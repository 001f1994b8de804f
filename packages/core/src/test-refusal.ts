import { WfError } from "@wf/protocol";
import { setLocator } from "./source-line.ts";

/** What running code sees of a task or a workflow: no types at all. */
// biome-ignore lint/suspicious/noExplicitAny: refusals are for what the compiler has not seen
export type Untyped = any;

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly where: string;
  readonly hint: string | undefined;
  /** The text of the line that the refusal points at. */
  readonly line: string;
}

/** Lets a test file stand for the user's own: what is refused must point at one of its lines. */
export function refusalsIn(path: string, source: string): (work: () => unknown) => Refusal {
  const lines = source.split("\n");
  setLocator(({ url, line }) => (url.endsWith(path) ? { file: "study.ts", line } : undefined));
  return (work) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof WfError)) throw error;
      const { code, message, where = "", hint } = error;
      const line = Number(/study\.ts:(\d+)/.exec(where)?.[1] ?? 0);
      return { code, message, where, hint, line: (lines[line - 1] ?? "").trim() };
    }
    throw new Error("it was not refused");
  };
}
