import { EXIT } from "@wf/protocol";
import type { Store } from "@wf/store";
import type { StatusOptions } from "../command-options.ts";
import { formatElapsed } from "../format/duration.ts";
import { pairs, table } from "../format/table.ts";
import { followRun } from "../looking/follow-run.ts";
import { ownerText, type RunSnapshot, stoppingText, takeSnapshot, timeText } from "../looking/run-snapshot.ts";
import { isUnderWay, statusPaint } from "../looking/run-state.ts";
import { storedProgress } from "../looking/stored-progress.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";
import { finalFrame } from "../view/live-frame.ts";
import { queueText, troubleTexts } from "../view/queue-text.ts";

/** How a run stands, asked from another process. With `--follow`, until it has ended; then the exit code tells how. */
export async function status(
  run: string | undefined,
  options: StatusOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  return withStore(options, async (store) => {
    const name = store.findRun(run ?? "last");
    if (options.follow) return followRun(store, name, screen, options.json ?? false);
    const snapshot = takeSnapshot(store, name);
    if (options.json) printJson(screen, snapshot);
    else printLines(screen, statusLines(store, snapshot, screen));
    return EXIT.ok;
  });
}

export function statusLines(store: Store, snapshot: RunSnapshot, screen: Screen): string[] {
  const { colours } = screen;
  const now = Date.now() / 1000;
  const owner = ownerText(snapshot, now);
  const head = [
    colours.bold(snapshot.run),
    statusPaint(snapshot.status, colours)(snapshot.status),
    timeText(snapshot, now),
  ];
  const progress = storedProgress(store, snapshot.run);
  if (!isUnderWay(snapshot.status)) progress.settle(snapshot.status);
  return [
    head.filter((text) => text !== "").join("  "),
    ...pairs(
      [...row("owner", owner), ...row("stopping", stoppingText(snapshot, now)), ...queueRows(snapshot, now)],
      colours.gray,
      "  ",
    ),
    "",
    ...finalFrame(progress, screen.columns ?? 120, colours),
    ...runningTable(snapshot, screen, now),
    ...(isUnderWay(snapshot.status) ? ["", `${colours.gray("next")}  wf status ${snapshot.run} --follow`] : []),
  ];
}

type Row = readonly [title: string, text: string];

function row(title: string, text: string | undefined): Row[] {
  return text === undefined ? [] : [[title, text]];
}

/** Of a run that nobody runs any more, what was last said is not news. */
function queueRows({ queue, status }: RunSnapshot, now: number): Row[] {
  if (queue === null) return [];
  const troubles = isUnderWay(status) ? troubleTexts(queue, now) : [];
  return [...troubles.map((text): Row => ["trouble", text]), ["queue", queueText(queue)]];
}

const MOST_RUNNING = 20;

function runningTable({ running }: RunSnapshot, screen: Screen, now: number): string[] {
  if (running.length === 0) return [];
  const rows = running.slice(0, MOST_RUNNING).map(({ task, slice, startedAt, host }) => {
    const part = slice === null || slice === 1 ? "" : `slice ${slice}`;
    return [task, formatElapsed(now - startedAt), [part, host ?? ""].filter((text) => text !== "").join("  ")];
  });
  const more = running.length - rows.length;
  const columns = [{ title: "running", minWidth: 10 }, { title: "for", align: "right" }, { title: "" }] as const;
  return [
    "",
    ...table(columns, rows, { width: screen.columns, titlePaint: screen.colours.gray, indent: "  " }),
    ...(more > 0 ? [screen.colours.gray(`  … and ${more} more`)] : []),
  ];
}
