import { SERIES_COLUMNS, type TaskRecord } from "@wf/protocol";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { sparkline } from "../format/sparkline.ts";
import { table } from "../format/table.ts";
import type { Screen } from "../screen.ts";

type Series = TaskRecord["series"];
type Shown = "percent" | "bytes" | "rate";

const ROWS: readonly {
  readonly title: string;
  readonly column: (typeof SERIES_COLUMNS)[number];
  readonly as: Shown;
}[] = [
  { title: "CPU", column: "cpuPercent", as: "percent" },
  { title: "memory", column: "memoryBytes", as: "bytes" },
  { title: "read", column: "readBytes", as: "rate" },
  { title: "written", column: "writtenBytes", as: "rate" },
  { title: "GPU", column: "gpuPercent", as: "percent" },
  { title: "GPU memory", column: "gpuMemoryBytes", as: "bytes" },
];
const WIDEST_SPARKLINE = 60;

/** A trace over time: one sparkline a figure. Bytes read and written are totals so far, and shown as rates. */
export function seriesLines(title: string, points: Series, screen: Screen): string[] {
  const { colours } = screen;
  if (points.length === 0) return [title, colours.gray("  it was too short to be sampled: wf trace has its totals")];
  const seconds = columnOf(points, "seconds");
  const width = Math.max(10, Math.min(WIDEST_SPARKLINE, (screen.columns ?? 100) - 50));
  const rows = ROWS.flatMap(({ title: name, column, as }) => {
    const raw = columnOf(points, column);
    const values = as === "rate" ? ratesOf(raw, seconds) : raw;
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return [[name, { text: "unknown", paint: colours.gray }]];
    const mean = known.reduce((a, b) => a + b, 0) / known.length;
    const shown = [Math.min(...known), mean, Math.max(...known)].map((value) => textOf(value, as));
    return [[name, { text: sparkline(values, width), paint: colours.cyan }, ...shown]];
  });
  const columns = [
    { title: "" },
    { title: "" },
    { title: "lowest", align: "right" },
    { title: "mean", align: "right" },
    { title: "highest", align: "right" },
  ] as const;
  const span = formatDuration((seconds.at(-1) ?? 0) - (seconds[0] ?? 0));
  return [
    `${title}  ${colours.gray(`${counted(points.length, "sample")} over ${span}`)}`,
    ...table(columns, rows, { width: screen.columns, titlePaint: colours.gray, indent: "  " }),
  ];
}

function columnOf(points: Series, column: (typeof SERIES_COLUMNS)[number]): (number | null)[] {
  const place = SERIES_COLUMNS.indexOf(column);
  return points.map((point) => point[place] ?? null);
}

function ratesOf(totals: readonly (number | null)[], seconds: readonly (number | null)[]): (number | null)[] {
  return totals.slice(1).map((total, index) => {
    const [before, from, to] = [totals[index], seconds[index], seconds[index + 1]];
    if (total === null || before == null || from == null || to == null || to <= from) return null;
    return Math.max(0, (total - before) / (to - from));
  });
}

function textOf(value: number, as: Shown): string {
  if (as === "percent") return `${value.toFixed(0)} %`;
  return as === "bytes" ? formatBytes(value) : `${formatBytes(value)}/s`;
}
