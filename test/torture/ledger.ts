import { existsSync, readFileSync } from "node:fs";

/** What a task has written of itself, in order. */
export interface LedgerLine {
  readonly event: "start" | "end";
  readonly run: string;
  /** `TASK@N`. */
  readonly attempt: string;
  /** What the task makes, under the oracle's name. */
  readonly name: string;
}

export function readLedger(file: string): readonly LedgerLine[] {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.split("\n").filter(Boolean).map(parseLine);
}

function parseLine(line: string): LedgerLine {
  const found = /^(start|end) (\S+) (\S+@\d+) (\S+)$/.exec(line);
  if (found === null) throw new Error(`no line of a ledger: ${JSON.stringify(line)}`);
  const [, event, run, attempt, name] = found as unknown as [string, "start" | "end", string, string, string];
  return { event, run, attempt, name };
}

export function taskOf(attempt: string): string {
  return attempt.slice(0, attempt.lastIndexOf("@"));
}
