import type { Account } from "@wf/protocol";
import type { JobRow } from "../parsing/parse-rows.ts";

/** What HTCondor says of a job that is over. It samples memory, and counts whole seconds of cpu time. */
export function accountOfRow(row: JobRow): Account {
  const { queuedAt, startedAt, userSeconds, systemSeconds } = row;
  return {
    state: stateOf(row),
    nodes: row.slot,
    waitSeconds: queuedAt === null || startedAt === null ? null : Math.max(0, startedAt - queuedAt),
    wallSeconds: row.wallSeconds,
    cpuSeconds: userSeconds === null || systemSeconds === null ? null : userSeconds + systemSeconds,
    peakMemoryBytes: row.residentBytes,
    receivedBytes: row.bytesIn,
    sentBytes: row.bytesOut,
    starts: row.starts,
  };
}

function stateOf({ status, exitCode, signal, removeReason }: JobRow): string {
  if (status === "completed") return signal === null ? `exit ${exitCode ?? "unknown"}` : `signal ${signal}`;
  return status === "removed" && removeReason !== null ? `removed: ${removeReason}` : status;
}
