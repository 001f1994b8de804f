import type { JobRow } from "../parsing/parse-rows.ts";
import type { How, JobEnd } from "./job-end.ts";

/** How a job of the history ended; null where the row does not say. */
export function endOfRow(row: JobRow): JobEnd | null {
  const how = howOf(row);
  if (how === null) return null;
  const startedAt = row.starts > 0 ? row.startedAt : null;
  return { ...how, slot: row.slot, startedAt, endedAt: row.completedAt ?? row.since };
}

function howOf({ status, exitCode, signal, removeReason, hold }: JobRow): How | null {
  if (status === "completed") return { how: "terminated", exitCode, signal };
  if (status === "removed") return { how: "removed", reason: removeReason ?? "" };
  return status === "held" && hold !== null ? { how: "held", hold } : null;
}
