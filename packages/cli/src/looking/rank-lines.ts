import type { AttemptDetails, RankDetails, Store } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { formatDuration } from "../format/duration.ts";
import { type Cell, table } from "../format/table.ts";
import type { Screen } from "../screen.ts";

/** The processes of the last attempt; none for a task that is not distributed. */
export function lastRanks(store: Store, run: string, attempts: readonly AttemptDetails[]): RankDetails[] {
  const last = attempts.at(-1);
  return last === undefined ? [] : store.ranks(run, last.attempt);
}

const COLUMNS = [
  { title: "rank", align: "right" },
  { title: "host", minWidth: 4 },
  { title: "ended" },
  { title: "ran", align: "right" },
  { title: "CPU", align: "right" },
  { title: "memory", align: "right" },
  { title: "read", align: "right" },
  { title: "written", align: "right" },
] as const;

export function rankLines(ranks: readonly RankDetails[], screen: Screen): string[] {
  if (ranks.length === 0) return [];
  const { colours } = screen;
  const known = (value: number | null | undefined, text: (value: number) => string) =>
    value == null ? "-" : text(value);
  const rows = ranks.map(({ rank, host, usage, isCause, ...ended }): Cell[] => [
    String(rank),
    host ?? "-",
    isCause ? { text: `${endOf(ended)}, first`, paint: colours.red } : endOf(ended),
    known(usage?.wallSeconds, formatDuration),
    known(usage?.cpuPercent, (percent) => `${percent.toFixed(0)} %`),
    known(usage?.peakMemoryBytes, formatBytes),
    known(usage?.readBytes, formatBytes),
    known(usage?.writtenBytes, formatBytes),
  ]);
  return table(COLUMNS, rows, { width: screen.columns, titlePaint: colours.gray, indent: "  " });
}

function endOf({ exitCode, signal }: { readonly exitCode: number | null; readonly signal: string | null }): string {
  if (signal !== null) return signal;
  return exitCode === null ? "-" : `exit ${exitCode}`;
}
