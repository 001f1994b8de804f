import { type JobId, parseJobIds } from "./job-id.ts";
import { type JobState, parseJobState } from "./job-state.ts";
import { parseSlurmBytes } from "./slurm-bytes.ts";

/** No job's name is asked for: names are printed as they are, with pipes and newlines. */
export const SACCT_COLUMNS = [
  "jobid",
  "state",
  "exitcode",
  "submit",
  "start",
  "end",
  "nodelist",
  "reason",
  "maxrss",
] as const;

export interface AccountingRow {
  readonly jobs: readonly JobId[];
  readonly state: JobState | null;
  /** The state in SLURM's own words, such as `CANCELLED by 1002`. */
  readonly words: string;
  readonly exitCode: number;
  /** 0 for none. */
  readonly signal: number;
  /** Unix seconds; null for what has not happened. */
  readonly submittedAt: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Empty where it has never had one. */
  readonly nodes: string;
  readonly reason: string;
  /** The most that one of its steps used; null where nobody says. */
  readonly peakMemoryBytes: number | null;
}

/**
 * What `TZ=UTC sacct -PnD -o COLUMNS` lists. A job that was started again has a row for each of its lives, the last
 * one last. Memory stands in the rows of a job's steps alone, which follow it; with `-X` they are left out. A line that
 * cannot be read says nothing about any job.
 */
export function parseSacct(text: string, columns: readonly string[] = SACCT_COLUMNS): readonly AccountingRow[] {
  const rows: AccountingRow[] = [];
  let last = "";
  for (const line of text.split("\n")) {
    const fields = line.split("|");
    if (fields.length !== columns.length) continue;
    const field = (name: string) => fields[columns.indexOf(name)] ?? "";
    const peakMemoryBytes = parseSlurmBytes(field("maxrss"));
    const [name = "", step] = field("jobid").split(/\.(.*)/s);
    if (step !== undefined) {
      const whole = rows.at(-1);
      if (whole !== undefined && name === last) rows[rows.length - 1] = withStep(whole, peakMemoryBytes);
      continue;
    }
    const jobs = parseJobIds(name);
    const exit = /^(\d+):(\d+)$/.exec(field("exitcode"));
    if (jobs === null || exit === null) continue;
    last = name;
    const words = field("state");
    const nodes = field("nodelist");
    rows.push({
      jobs,
      state: parseJobState(words),
      words,
      exitCode: Number(exit[1]),
      signal: Number(exit[2]),
      submittedAt: unixSeconds(field("submit")),
      startedAt: unixSeconds(field("start")),
      endedAt: unixSeconds(field("end")),
      nodes: nodes === "None assigned" ? "" : nodes,
      reason: field("reason"),
      peakMemoryBytes,
    });
  }
  return rows;
}

function withStep(row: AccountingRow, peakMemoryBytes: number | null): AccountingRow {
  if (peakMemoryBytes === null) return row;
  return { ...row, peakMemoryBytes: Math.max(row.peakMemoryBytes ?? 0, peakMemoryBytes) };
}

function unixSeconds(text: string): number | null {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) / 1000 : null;
}
