import { setTimeout as sleep } from "node:timers/promises";
import { EXIT } from "@wf/protocol";
import { toldQueue } from "@wf/run";
import type { Store } from "@wf/store";
import { formatCount } from "../format/count.ts";
import { formatTime } from "../format/time.ts";
import { printJson, printLines, type Screen } from "../screen.ts";
import { FramePainter } from "../view/frame-painter.ts";
import { finalFrame, liveFrame } from "../view/live-frame.ts";
import { troubleTexts } from "../view/queue-text.ts";
import { TimeLeftEstimate } from "../view/time-left.ts";
import { ownerText, type RunSnapshot, stoppingText, takeSnapshot, timeText } from "./run-snapshot.ts";
import { isUnderWay, statusPaint } from "./run-state.ts";
import { storedProgress } from "./stored-progress.ts";

const FRAME_MS = 500;
const LINE_MS = 5000;
/** Looking at a run of a million tasks takes a while: it then happens more rarely, so as not to slow the run. */
const IDLE_SHARE = 20;

/** Watches a run of another process until it has ended, and returns the exit code that its owner returned. */
export async function followRun(store: Store, run: string, screen: Screen, isJson: boolean): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  try {
    const watch = isJson ? watchAsJson : screen.isTerminal ? watchLive : watchAsLines;
    const last = await watch(store, run, screen, interrupt.signal);
    return interrupt.signal.aborted ? EXIT.cancelled : exitCodeOf(last);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

function exitCodeOf({ status }: RunSnapshot): number {
  if (status === "succeeded") return EXIT.ok;
  return status === "failed" ? EXIT.runFailed : EXIT.cancelled;
}

type Watch = (store: Store, run: string, screen: Screen, signal: AbortSignal) => Promise<RunSnapshot>;

const watchLive: Watch = async (store, run, screen, signal) => {
  const estimate = new TimeLeftEstimate();
  const cpus = cpusOf(store, run);
  const draw = (snapshot: RunSnapshot) => painter.draw(frameOf(snapshot));
  const frameOf = (snapshot: RunSnapshot) => {
    const now = Date.now() / 1000;
    const progress = storedProgress(store, run);
    estimate.sample(progress, now);
    const title = `${run}  ${snapshot.workflow} on ${snapshot.site}`;
    const startedAt = snapshot.startedAt ?? now;
    const timeLeft = estimate.of(progress, now);
    const queue = toldQueue(store.folder, run);
    const state = { title, progress, cpus, timeLeft, queue, keys: "watching", failures: [], startedAt, now } as const;
    return liveFrame(state, painter.size, screen.colours);
  };
  const painter = new FramePainter(screen, () => draw(takeSnapshot(store, run)));
  painter.begin();
  let snapshot = takeSnapshot(store, run);
  try {
    while (isUnderWay(snapshot.status) && !signal.aborted) {
      const began = Date.now();
      draw(snapshot);
      await pause(Math.max(FRAME_MS, (Date.now() - began) * IDLE_SHARE), signal);
      snapshot = takeSnapshot(store, run);
    }
  } finally {
    const progress = storedProgress(store, run);
    if (!isUnderWay(snapshot.status)) progress.settle(snapshot.status);
    painter.end([...finalFrame(progress, painter.size.columns, screen.colours), "", ...lastLines(snapshot, screen)]);
  }
  return snapshot;
};

const watchAsLines: Watch = async (store, run, screen, signal) => {
  let told = "";
  let snapshot = takeSnapshot(store, run);
  while (isUnderWay(snapshot.status) && !signal.aborted) {
    const now = Date.now() / 1000;
    const text = countsText(snapshot);
    const { queue, stopping } = snapshot;
    const news = JSON.stringify([text, queue?.lost?.at, queue?.silent?.at, stopping?.at]);
    const remarks = [...(queue === null ? [] : troubleTexts(queue, now)), stoppingText(snapshot, now) ?? []].flat();
    if (news !== told) printLines(screen, [`${formatTime(now)} ${[text, ...remarks].join("; ")}`]);
    told = news;
    await pause(LINE_MS, signal);
    snapshot = takeSnapshot(store, run);
  }
  printLines(screen, lastLines(snapshot, screen));
  return snapshot;
};

const watchAsJson: Watch = async (store, run, screen, signal) => {
  let told = "";
  let snapshot = takeSnapshot(store, run);
  for (;;) {
    const text = JSON.stringify([snapshot.status, snapshot.tasks]);
    if (text !== told) printJson(screen, snapshot);
    told = text;
    if (!isUnderWay(snapshot.status) || signal.aborted) return snapshot;
    await pause(2 * FRAME_MS, signal);
    snapshot = takeSnapshot(store, run);
  }
};

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    // Somebody pressed Ctrl-C.
  }
}

function lastLines(snapshot: RunSnapshot, screen: Screen): string[] {
  const now = Date.now() / 1000;
  const { colours } = screen;
  const owner = isUnderWay(snapshot.status) ? undefined : ownerText(snapshot, now);
  return [
    `${statusPaint(snapshot.status, colours)(snapshot.status)}  ${colours.bold(snapshot.run)}  ${timeText(snapshot, now)}`.trimEnd(),
    `  ${colours.gray("next")}  ${owner ?? `wf show ${snapshot.run}`}`,
  ];
}

function countsText({ tasks }: RunSnapshot): string {
  const counts = [
    [tasks.done, "done"],
    [tasks.cached, "cached"],
    [tasks.failed, "failed"],
    [tasks.running, "running"],
    [tasks.ready + tasks.submitted, "waiting"],
    [tasks.skipped + tasks.cancelled, "not run"],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return said.length === 0 ? "nothing has started" : said.join(", ");
}

function cpusOf(store: Store, run: string): number | null {
  const options = store.run(run).options as { site?: { capacity?: { cpus?: number } } } | null;
  return options?.site?.capacity?.cpus ?? null;
}
