import { type JobId, parseJobIds } from "./job-id.ts";
import { type JobState, parseJobState } from "./job-state.ts";

/** No job's name is asked for: names are printed as they are, with pipes and newlines. */
export const SQUEUE_FORMAT = "%i|%A|%T|%r|%N";

export interface QueueRow {
  readonly jobs: readonly JobId[];
  /** Null for a word that is not known here. */
  readonly state: JobState | null;
  /** The state in SLURM's own words. */
  readonly words: string;
  readonly reason: string;
  readonly nodes: string;
}

/** What `squeue -h -o SQUEUE_FORMAT` lists. A line that cannot be read says nothing about any job. */
export function parseSqueue(text: string): readonly QueueRow[] {
  const rows: QueueRow[] = [];
  for (const line of text.split("\n")) {
    const [ids = "", , words, ...rest] = line.split("|");
    const jobs = parseJobIds(ids);
    const nodes = rest.pop();
    if (jobs === null || words === undefined || nodes === undefined) continue;
    rows.push({ jobs, state: parseJobState(words), words, reason: rest.join("|"), nodes });
  }
  return rows;
}
