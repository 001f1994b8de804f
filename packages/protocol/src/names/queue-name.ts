import { canonical, type Json } from "../values/json.ts";
import { sha256 } from "../values/sha256.ts";

const LONGEST_TASK = 40;
const TOKEN_LENGTH = 16;

/** What a submission is known by on its site, in its folder and in its name: the same for the same parts, always. */
export function submissionToken(parts: Json): string {
  return sha256(canonical(parts)).slice(0, TOKEN_LENGTH);
}

/**
 * What the queue shows people, who see its first letters only: the task, how many others go with it, the run, which begins
 * with its workflow, and what makes it unique, as submissions are looked for by it: `upper.3+19-words-1-enwt-0123456789abcdef`.
 */
export function submissionName(run: string, tasks: readonly string[], token: string): string {
  const others = tasks.length > 1 ? `+${tasks.length - 1}` : "";
  return queueName(`${(tasks[0] ?? "").slice(0, LONGEST_TASK)}${others}`, run, token);
}

/** Of letters that every scheduler takes in a name. */
export function queueName(what: string, run: string, token: string): string {
  return `${what}-${run}-${token}`.replace(/[^\w.+-]/g, "_");
}
