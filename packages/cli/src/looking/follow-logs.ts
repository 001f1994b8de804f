import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptsElsewhere } from "@wf/run";
import { AttemptFiles } from "@wf/run";
import type { Store } from "@wf/store";
import type { Screen } from "../screen.ts";
import type { ShownAttempt } from "./attempt-to-show.ts";
import { headingOf, type StreamName, StreamPrinter } from "./print-log.ts";
import { isUnderWay, runState } from "./run-state.ts";

const LOOK_MS = 250;
/** What was printed last on another machine may still be on its way. */
const ON_ITS_WAY_MS = 2000;

export interface FollowedLogs {
  readonly store: Store;
  readonly shown: ShownAttempt;
  readonly streams: readonly StreamName[];
  readonly screen: Screen;
  readonly isJson: boolean;
  readonly note: (text: string) => void;
  /** Null where the logs can be read here. */
  readonly elsewhere: AttemptsElsewhere | null;
}

/** Prints what an attempt prints until it has ended, and goes on with the next attempt if the task is tried again. */
export async function followLogs(followed: FollowedLogs): Promise<void> {
  const { store, shown, streams, screen, isJson, note, elsewhere } = followed;
  const { run, task, rank } = shown;
  let { attempt } = shown;
  for (;;) {
    const files = new AttemptFiles(store.folder, run, attempt.attempt);
    const printers = streams.map((stream) => ({
      stream,
      printer: new StreamPrinter(files.stream(stream, rank), stream, attempt.attempt, screen, isJson),
    }));
    const life = new AbortController();
    const brought = elsewhere?.followLogs(attempt.attempt, rank, life.signal);
    const hasAllCome = async () => {
      if (!hasEnded(store, run, task, attempt.attempt)) return false;
      if (elsewhere !== null) await sleep(ON_ITS_WAY_MS);
      return true;
    };
    await followAttempt(printers, hasAllCome, screen, streams.length > 1 && !isJson);
    life.abort();
    await brought;
    const next = await nextAttempt(store, run, task, attempt.number);
    if (next === undefined) return;
    attempt = next;
    note(`attempt ${next.number} of ${task}`);
  }
}

async function followAttempt(
  printers: readonly { readonly stream: StreamName; readonly printer: StreamPrinter }[],
  hasAllCome: () => Promise<boolean>,
  screen: Screen,
  hasHeadings: boolean,
): Promise<void> {
  let speaking: StreamName | undefined;
  for (;;) {
    const isOver = await hasAllCome();
    for (const { stream, printer } of printers) {
      if (!printer.hasNew) continue;
      if (hasHeadings && speaking !== stream) screen.write(headingOf(stream, screen));
      speaking = stream;
      printer.printNew();
    }
    if (isOver) break;
    await sleep(LOOK_MS);
  }
  for (const { printer } of printers) printer.finish();
}

/** An attempt of a run that nobody runs will not be seen to end: what there is, is all. */
function hasEnded(store: Store, run: string, task: string, attempt: string): boolean {
  const known = store.attempts(run, task).find((one) => one.attempt === attempt);
  return known === undefined || known.endedAt !== null || !isRunning(store, run);
}

function isRunning(store: Store, run: string): boolean {
  return isUnderWay(runState(store, run, store.run(run).status).status);
}

async function nextAttempt(store: Store, run: string, task: string, number: number) {
  while (isRunning(store, run)) {
    const next = store.attempts(run, task).find((one) => one.number > number);
    if (next !== undefined) return next;
    const { state } = store.task(run, task);
    if (state !== "ready" && state !== "submitted" && state !== "running") return undefined;
    await sleep(LOOK_MS);
  }
  return undefined;
}
