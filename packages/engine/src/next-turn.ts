import type { RunEvent } from "./effects.ts";

/**
 * What is dealt with at once, and what later. A revocation starts the run over, so what was told before it comes first: it
 * may be the task for which the job was ended. One that comes together with its success needs no turn of its own.
 */
export function nextTurn(events: readonly RunEvent[]): { readonly now: RunEvent[]; readonly later: RunEvent[] } {
  const ended = new Set(events.flatMap((event) => (event.type === "finished" ? event.attempt : [])));
  const first = events.findIndex((event) => event.type === "revoked" && !ended.has(event.attempt));
  const end = first > 0 ? first : events.length;
  return { now: events.slice(0, end), later: events.slice(end) };
}
