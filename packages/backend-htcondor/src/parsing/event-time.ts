const QUARTER_SECONDS = 900;

/** `2026-11-16T13:31:01.515`: seconds since 1970 if it were in UTC, and whether it says in which zone it is. */
export function parseEventTime(text: string): { readonly seconds: number; readonly hasZone: boolean } | null {
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const milliseconds = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(milliseconds) ? null : { seconds: milliseconds / 1000, hasZone };
}

/**
 * How far the clock of the submit host is before UTC, from a moment that the event log and the job's ad both tell. Zones
 * are whole quarters of an hour apart, so the two need not be told at the same second.
 */
export function utcOffsetFrom(localSeconds: number, epochSeconds: number): number {
  // No negative zero.
  return Math.round((localSeconds - epochSeconds) / QUARTER_SECONDS) * QUARTER_SECONDS + 0;
}
