import type { StoredAccount } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { formatDuration } from "../format/duration.ts";
import { table } from "../format/table.ts";
import type { Screen } from "../screen.ts";

const COLUMNS = [
  { title: "job" },
  { title: "state" },
  { title: "waited", align: "right" },
  { title: "took", align: "right" },
  { title: "CPU time", align: "right" },
  { title: "memory", align: "right" },
  { title: "nodes", minWidth: 4 },
] as const;

/** What the scheduler's accounting says of a task's jobs, a line an attempt. */
export function accountLines(accounts: readonly StoredAccount[], screen: Screen): string[] {
  if (accounts.length === 0) return [];
  const known = (value: number | null | undefined, text: (value: number) => string) =>
    value == null ? "-" : text(value);
  const rows = accounts.map(({ queueJob, account }) => [
    queueJob,
    account?.state ?? "not told yet",
    known(account?.waitSeconds, formatDuration),
    known(account?.wallSeconds, formatDuration),
    known(account?.cpuSeconds, formatDuration),
    known(account?.peakMemoryBytes, formatBytes),
    account?.nodes ?? "-",
  ]);
  return table(COLUMNS, rows, { width: screen.columns, titlePaint: screen.colours.gray, indent: "  " });
}
