import { until } from "@wf/testing";
import type { Ground } from "./ground.ts";
import { type Lane, said } from "./lane.ts";
import { readLedger } from "./ledger.ts";
import { brokenInLedger } from "./ledger-laws.ts";
import { expectedOf } from "./oracle.ts";
import type { Place } from "./place.ts";
import { processesBelow } from "./processes.ts";
import type { Round } from "./round.ts";
import { ageTemporaryFiles, brokenInStorage, brokenOutputs, readStore } from "./store-laws.ts";

export interface EndedRound {
  readonly round: Round;
  readonly place: Place;
  readonly ground: Ground;
  readonly lanes: readonly Lane[];
  /** Whether something was done that can end a task. */
  readonly couldEndTasks: boolean;
  /** Whether a task may have lived on where its node was given up. */
  readonly mayLiveOn: boolean;
}

/** What a round must not leave: looked for from outside, after all of its runs have succeeded. */
export async function brokenLaws(ended: EndedRound): Promise<readonly string[]> {
  const { round, place, ground, lanes, couldEndTasks, mayLiveOn } = ended;
  const { project, storage, ledger, folder } = ground;
  const expected = expectedOf(round.shape);
  const outputsOf = (run: string) => brokenOutputs(project.path(".wf", "runs", run, "outputs"), expected.outputs);
  const broken: string[] = [];

  await gone("processes", () => processesBelow(folder).map(({ command }) => command), broken);
  await gone("jobs", () => place.queued(), broken);
  const { attempts, broken: inStore } = readStore(project.path(".wf", "wf.db"));
  broken.push(...inStore);
  for (const lane of lanes) broken.push(...outputsOf(lane.run() as string));
  const lines = readLedger(ledger);
  broken.push(...brokenInLedger({ lines, attempts, tasks: expected.tasks, couldEndTasks, mayLiveOn }));
  for (const root of new Set([project.path(".wf"), storage])) broken.push(...brokenInStorage(root));

  const verified = await project.wf(["verify", "--all"]);
  if (verified.exitCode !== 0) broken.push(`wf verify --all: ${said(verified)}`);
  const again = await (lanes[0] as Lane).again();
  if (again.exitCode !== 0) broken.push(`a further run: ${said(again)}`);
  const more = readLedger(ledger).slice(lines.length);
  broken.push(...more.map(({ event, attempt }) => `a further run is not cached: ${event} ${attempt}`));

  const stores = [...new Set([project.path(".wf"), storage])];
  if (stores.flatMap(ageTemporaryFiles).length > 0) {
    const there = place.name === "local" ? [] : ["--site", place.name];
    const collected = await project.wf(["gc", ...there]);
    const left = stores.flatMap(ageTemporaryFiles);
    if (left.length > 0) broken.push(`wf gc leaves ${left.join(", ")}: ${said(collected)}`);
  }
  return broken;
}

const PATIENCE_MS = 60_000;

/** Law: what a run has started is gone soon after it has ended. */
async function gone(what: string, look: () => readonly string[], broken: string[]): Promise<void> {
  try {
    await until(`the end of ${what}`, () => look().length === 0, { lastSeen: look, patienceMs: PATIENCE_MS });
  } catch (error) {
    broken.push((error as Error).message);
  }
}
