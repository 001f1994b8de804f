import { EXIT } from "@wf/protocol";
import type { RankTrace, RunTotals, StageTrace, Store } from "@wf/store";
import type { TraceOptions } from "../command-options.ts";
import { formatBytes } from "../format/bytes.ts";
import { counted, formatCount } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { type Column, pairs, table } from "../format/table.ts";
import { attemptToShow } from "../looking/attempt-to-show.ts";
import { completeAccounts } from "../looking/complete-accounts.ts";
import { seriesLines } from "../looking/series-lines.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** What a run used, stage by stage and in all; with `--series`, what one task used over time. */
export async function trace(
  run: string | undefined,
  options: TraceOptions,
  screen: Screen = screenOf(process.stdout, options),
  notes: Screen = screenOf(process.stderr, options),
): Promise<number> {
  return withStore(options, async (store) => {
    const name = store.findRun(run ?? "last");
    await completeAccounts(store, name, (text) => printLines(notes, [text]));
    if (options.series !== undefined) printSeries(store, name, options.series, screen, options.json ?? false);
    else if (options.json) printJson(screen, { run: name, ...store.trace(name) });
    else printLines(screen, traceLines(name, store.trace(name), screen));
    return EXIT.ok;
  });
}

function printSeries(store: Store, run: string, task: string, screen: Screen, isJson: boolean): void {
  const { attempt, ...shown } = attemptToShow(store, run, task, undefined);
  const points = store.series(shown.run, attempt.attempt);
  if (isJson) printJson(screen, { run: shown.run, task: shown.task, attempt: attempt.attempt, points });
  else printLines(screen, seriesLines(`${shown.task}  ${shown.run}  attempt ${attempt.number}`, points, screen));
}

/** They fit 80 columns; what is an average and what a peak stands below. */
const COLUMNS: readonly Column[] = [
  { title: "stage", minWidth: 8 },
  { title: "ran", align: "right" },
  { title: "read MB", align: "right" },
  { title: "written MB", align: "right" },
  { title: "CPU %", align: "right" },
  { title: "memory GB", align: "right" },
  { title: "GPU %", align: "right" },
  { title: "GPU GB", align: "right" },
  { title: "time s", align: "right" },
];
/** Of a stage whose tasks are distributed, each rank has a line of its own, with the machines that it ran on. */
const RANKS_SHOWN = 16;
const LEGEND = "CPU %, GPU % and time are averages, memory and GPU GB are peaks; - is unknown";

function traceLines(
  run: string,
  { stages, totals }: { stages: readonly StageTrace[]; totals: RunTotals },
  screen: Screen,
) {
  const { colours } = screen;
  const rows = stages.flatMap((stage) => [
    figuresOf(stage.stage, stage),
    ...stage.ranks.slice(0, RANKS_SHOWN).map((rank) => figuresOf(`  ${rank.rank} ${rank.hosts ?? ""}`, rank)),
    ...(stage.ranks.length > RANKS_SHOWN ? [[`  … ${stage.ranks.length - RANKS_SHOWN} more ranks`]] : []),
  ]);
  const counts = [
    [totals.done, "ran"],
    [totals.cached, "cached"],
    [totals.failed, "failed"],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  const bytes = (amount: number | null, unit: number) => (amount === null ? "-" : formatBytes(amount * unit));
  const hours = (amount: number | null) => (amount === null ? "-" : formatDuration(amount * 3600));
  return [
    ...table(COLUMNS, rows, { width: screen.columns, titlePaint: colours.gray }),
    colours.gray(LEGEND),
    "",
    `${colours.bold(run)}  ${[counted(totals.tasks, "task"), said.join(", ")].filter(Boolean).join(": ")}`,
    ...pairs(
      [
        ["time", totals.seconds === null ? "-" : formatDuration(totals.seconds)],
        ["CPU time", hours(totals.cpuHours)],
        ["GPU time", hours(totals.gpuHours)],
        ["I/O", `${bytes(totals.readGb, 1e9)} read, ${bytes(totals.writtenGb, 1e9)} written`],
        ["peak", `${bytes(totals.peakMemoryMb, 1e6)} memory, ${bytes(totals.peakGpuMemoryMb, 1e6)} GPU memory`],
      ],
      colours.gray,
      "  ",
    ),
  ];
}

function figuresOf(name: string, used: StageTrace | RankTrace): string[] {
  return [
    name,
    formatCount(used.attempts),
    figure(used.readMb),
    figure(used.writtenMb),
    figure(used.cpuPercent, 0),
    figure(gigabytes(used.peakMemoryMb), 3),
    figure(used.gpuPercent, 0),
    figure(gigabytes(used.peakGpuMemoryMb), 3),
    figure(used.averageSeconds, 3),
  ];
}

function gigabytes(megabytes: number | null): number | null {
  return megabytes === null ? null : megabytes / 1000;
}

/** `-` is unknown, never zero. */
function figure(value: number | null, digits = value !== null && value < 10 ? 2 : 0): string {
  return value === null ? "-" : value.toFixed(digits);
}
