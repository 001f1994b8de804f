import { WfError } from "@wf/protocol";
import type { Connection } from "./connection.ts";

export interface RunKey {
  readonly id: number;
  readonly name: string;
}

/**
 * The run that a person means: its full name, the start of one name only, or `last`. A whole number wins over a
 * longer one: `lung-1` is `lung-1-k3x9`, although `lung-12-b07q` starts with it as well.
 */
export function findRun(connection: Connection, text: string): RunKey {
  return connection.read(() => {
    const byName = connection.db.prepare<[], RunKey>("SELECT id, name FROM runs ORDER BY id DESC");
    if (text === "last") {
      const newest = byName.get();
      if (newest !== undefined) return newest;
      throw new WfError("WF_RUN_NOT_FOUND", "The store has no run yet.", { hint: "Start one with `wf run FILE`." });
    }
    const exact = connection.db.prepare<[string], RunKey>("SELECT id, name FROM runs WHERE name = ?").get(text);
    if (exact !== undefined) return exact;
    const runs = byName.all();
    const starting = text === "" ? [] : runs.filter(({ name }) => name.startsWith(text));
    const whole = starting.filter(({ name }) => name.startsWith(`${text}-`));
    const [only] = whole.length === 1 ? whole : starting;
    if (only !== undefined && (whole.length === 1 || starting.length === 1)) return only;
    throw notFound(text, starting.length > 0 ? starting : runs);
  });
}

function notFound(text: string, candidates: readonly RunKey[]): WfError {
  const fitting = candidates.filter(({ name }) => name.startsWith(text)).length;
  const near = [...candidates]
    .sort((a, b) => sharedStart(b.name, text) - sharedStart(a.name, text) || b.id - a.id)
    .slice(0, 5)
    .map(({ name }) => name);
  return new WfError(
    "WF_RUN_NOT_FOUND",
    fitting > 1 && text !== "" ? `"${text}" fits ${fitting} runs.` : `The store has no run "${text}".`,
    {
      hint:
        near.length === 0 ? "Start one with `wf run FILE`." : `Did you mean ${near.join(", ")}? \`wf runs\` lists all.`,
    },
  );
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
