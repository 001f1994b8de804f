import { type JobId, parseJobIds } from "./job-id.ts";
import { type JobState, parseJobState } from "./job-state.ts";

/** No job's name is asked for: names are printed as they are, with pipes and newlines. */
export const SACCT_COLUMNS = ["jobid", "state", "exitcode", "submit", "start", "end", "nodelist", "reason"] as const;

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
}

/**
 * What `TZ=UTC sacct -XPnD -o COLUMNS` lists. A job that was started again has a row for each of its lives, the last
 * one last. A line that cannot be read says nothing about any job.
 */
export function parseSacct(text: string, columns: readonly string[] = SACCT_COLUMNS): readonly AccountingRow[] {
  const rows: AccountingRow[] = [];
  for (const line of text.split("\n")) {
    const fields = line.split("|");
    if (fields.length !== columns.length) continue;
    const field = (name: string) => fields[columns.indexOf(name)] ?? "";
    const jobs = parseJobIds(field("jobid"));
    const exit = /^(\d+):(\d+)$/.exec(field("exitcode"));
    if (jobs === null || exit === null) continue;
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
    });
  }
  return rows;
}

function unixSeconds(text: string): number | null {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) / 1000 : null;
}
