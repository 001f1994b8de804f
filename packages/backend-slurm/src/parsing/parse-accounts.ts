import type { Account } from "@wf/protocol";
import { parseJobIds, showJobId } from "./job-id.ts";
import { parseSlurmBytes } from "./slurm-bytes.ts";

/** Asked for without `-X`: memory stands in the rows of a job's steps alone. */
export const ACCOUNT_COLUMNS = [
  "jobid",
  "state",
  "elapsedraw",
  "totalcpu",
  "maxrss",
  "nodelist",
  "submit",
  "start",
] as const;

/** What `TZ=UTC sacct -PnD -o COLUMNS` says of jobs that are over, by the names that squeue gives them. */
export function parseAccounts(text: string): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of text.split("\n")) {
    const [name = "", state, elapsed, cpu, memory, nodes, submit, start, ...rest] = line.split("|");
    if (start === undefined || rest.length > 0) continue;
    const [job = "", step] = name.split(/\.(.*)/s);
    const peak = parseSlurmBytes(memory as string);
    const known = accounts.get(job);
    if (step !== undefined) {
      if (known && peak !== null)
        accounts.set(job, { ...known, peakMemoryBytes: Math.max(known.peakMemoryBytes ?? 0, peak) });
      continue;
    }
    if (/^(PENDING|RUNNING|SUSPENDED|COMPLETING|REQUEUED)/.test(state as string)) continue;
    for (const id of parseJobIds(job) ?? []) {
      accounts.set(showJobId(id), {
        state: state as string,
        nodes: nodes === "None assigned" || nodes === "" ? null : (nodes as string),
        waitSeconds: secondsBetween(submit as string, start),
        wallSeconds: /^\d+$/.test(elapsed as string) ? Number(elapsed) : null,
        cpuSeconds: cpuSecondsOf(cpu as string),
        peakMemoryBytes: peak,
        receivedBytes: null,
        sentBytes: null,
        starts: null,
      });
    }
  }
  return accounts;
}

/** `00:00.061`, `12:03:04`, `1-02:03:04`. */
function cpuSecondsOf(text: string): number | null {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text);
  if (match === null) return null;
  const [, days = "0", hours = "0", minutes, seconds] = match;
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function secondsBetween(from: string, to: string): number | null {
  const seconds = (Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 1000;
  return Number.isNaN(seconds) ? null : seconds;
}
