import type { StoredAccount } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { formatDuration } from "../format/duration.ts";
import { table } from "../format/table.ts";
import type { Screen } from "../screen.ts";

const TITLES = [
  { title: "job" },
  { title: "state" },
  { title: "waited", align: "right" },
  { title: "took", align: "right" },
  { title: "CPU time", align: "right" },
  { title: "memory", align: "right" },
] as const;
/** Of schedulers that tell. */
const OF_TRANSFERS = [
  { title: "sent there", align: "right" },
  { title: "sent back", align: "right" },
  { title: "starts", align: "right" },
] as const;

/** What the scheduler's accounting says of a task's jobs, a line an attempt. */
export function accountLines(accounts: readonly StoredAccount[], screen: Screen): string[] {
  if (accounts.length === 0) return [];
  const known = (value: number | null | undefined, text: (value: number) => string) =>
    value == null ? "-" : text(value);
  const hasTransfers = accounts.some(({ account }) => account?.starts != null);
  const rows = accounts.map(({ queueJob, account }) => [
    queueJob,
    account?.state ?? "not told yet",
    known(account?.waitSeconds, formatDuration),
    known(account?.wallSeconds, formatDuration),
    known(account?.cpuSeconds, formatDuration),
    known(account?.peakMemoryBytes, formatBytes),
    ...(hasTransfers
      ? [
          known(account?.receivedBytes, formatBytes),
          known(account?.sentBytes, formatBytes),
          known(account?.starts, String),
        ]
      : []),
    account?.nodes ?? "-",
  ]);
  const columns = [
    ...TITLES,
    ...(hasTransfers ? OF_TRANSFERS : []),
    { title: hasTransfers ? "slot" : "nodes", minWidth: 4 },
  ];
  return table(columns, rows, { width: screen.columns, titlePaint: screen.colours.gray, indent: "  " });
}
