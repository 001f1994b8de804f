import { type TaskRecord, Usage } from "@wf/protocol";
import type { Cell } from "./connection.ts";

/** A figure of the usage lies in the column of its name: `peakMemoryBytes` in `peak_memory_bytes`. */
const USAGE: readonly (readonly [figure: keyof Usage, column: string])[] = (
  Object.keys(Usage.shape) as (keyof Usage)[]
).map((figure) => [figure, figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);

/** Everything that a record says of its attempt, apart from outputs, metrics and series. */
const CELLS: Readonly<Record<string, (record: TaskRecord) => Cell>> = {
  state: ({ state }) => state,
  started_at: ({ startedAt }) => startedAt,
  ended_at: ({ endedAt }) => endedAt,
  failure_class: ({ failure }) => failure?.class ?? null,
  failure_message: ({ failure }) => failure?.message ?? null,
  failure_name: ({ failure }) => failure?.name ?? null,
  exit_code: ({ exitCode }) => exitCode,
  signal: ({ signal }) => signal,
  host: ({ host }) => host,
  pid: ({ pid }) => pid,
  boot_id: ({ bootId }) => bootId,
  staged_in_files: ({ stagedIn }) => whole(stagedIn.files),
  staged_in_bytes: ({ stagedIn }) => whole(stagedIn.bytes),
  staged_in_seconds: ({ stagedIn }) => stagedIn.seconds,
  staged_out_files: ({ stagedOut }) => whole(stagedOut.files),
  staged_out_bytes: ({ stagedOut }) => whole(stagedOut.bytes),
  staged_out_seconds: ({ stagedOut }) => stagedOut.seconds,
  leftover_processes: ({ leftoverProcesses }) => whole(leftoverProcesses),
  gpus: ({ gpus }) => JSON.stringify(gpus),
  undeclared: ({ undeclared }) => (undeclared.length === 0 ? null : JSON.stringify(undeclared)),
  ...Object.fromEntries(USAGE.map(([figure, column]) => [column, ({ usage }: TaskRecord) => cellOf(usage, figure)])),
};

function cellOf(usage: Usage, figure: keyof Usage): number | null {
  const isReal = figure.endsWith("Seconds") || figure.endsWith("Percent");
  return isReal ? usage[figure] : whole(usage[figure]);
}

export const USAGE_COLUMNS: readonly string[] = USAGE.map(([, column]) => column);

/** In the order of USAGE_COLUMNS; all unknown where there is no usage. */
export function usageCells(usage: Usage | null): Cell[] {
  return USAGE.map(([figure]) => (usage === null ? null : cellOf(usage, figure)));
}

/** The columns that take whole numbers refuse any other: half a byte must not cost a record. */
function whole(count: number | null): number | null {
  return count === null ? null : Math.round(count);
}

export const RECORD_COLUMNS: readonly string[] = Object.keys(CELLS);
const READERS = Object.values(CELLS);

/** In the order of RECORD_COLUMNS. */
export function cellsOf(record: TaskRecord): Cell[] {
  return READERS.map((read) => read(record));
}

export function usageOf(row: Readonly<Record<string, unknown>>): Usage {
  return Object.fromEntries(USAGE.map(([figure, column]) => [figure, row[column] ?? null])) as Usage;
}
