import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dice } from "../dice.ts";
import { REPOSITORY } from "../repository.ts";
import type { Place } from "./place.ts";
import { drawRound, type Round } from "./round.ts";
import { type RoundReport, runRound } from "./run-round.ts";
import { shrink } from "./shrink.ts";
import { countKills, Tally } from "./tally.ts";
import type { TurnedClock } from "./turned-clock.ts";

const SEEDS = 2_147_483_648;
const TRIES_OF_A_ROUND = 3;

export interface TortureSettings {
  readonly place: Place;
  readonly clock: TurnedClock | undefined;
  readonly seed: number;
  readonly seconds: number;
  readonly kills: number;
  /** How many rounds to run, at the most, in search of the smallest that fails. */
  readonly shrinkingRounds: number;
  readonly say: (line: string) => void;
}

/** Rounds until enough was killed, enough time has passed, or a law is broken. */
export async function torture(settings: TortureSettings): Promise<Tally> {
  const { place, clock, seed, seconds, kills, say } = settings;
  const roll = dice(seed);
  const tally = new Tally();
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  while (tally.violations === 0 && tally.kills < kills && elapsed() < seconds) {
    const round = drawRound(roll(SEEDS), place);
    const report = await runRound(round, place, clock);
    tally.add(report);
    say(roundLine(tally, round, report, elapsed()));
    if (report.broken.length > 0) await explain(settings, round, report);
  }
  say(`\n${tally.table(elapsed())}`);
  return tally;
}

function roundLine({ rounds, kills }: Tally, round: Round, report: RoundReport, seconds: number): string {
  const { acts, tasks, resumes, broken } = report;
  const did = `${tasks} tasks, ${acts.length} disturbances, ${countKills(acts)} kills, ${resumes} resumes`;
  const found = broken.length === 0 ? "ok" : `${broken.length} BROKEN`;
  return `round ${rounds} (seed ${round.seed}): ${did}: ${found}  [${kills} kills in ${Math.round(seconds)} s]`;
}

/** Prints what is broken, then the smallest round that breaks something, and how to repeat it. */
async function explain(
  { place, clock, shrinkingRounds, say }: TortureSettings,
  round: Round,
  report: RoundReport,
): Promise<void> {
  const show = (found: Round, { broken, folder }: RoundReport) => {
    for (const line of broken) say(`✗ ${line}`);
    say(`  left in ${folder}`);
    say(JSON.stringify(found, null, 2));
  };
  show(round, report);
  if (shrinkingRounds > 0) say("looking for a smaller round that fails, too");
  let last: RoundReport = report;
  const fails = async (candidate: Round): Promise<boolean> => {
    const found = await runRound(candidate, place, clock);
    const { disturbances, shape } = candidate;
    const isBroken = found.broken.length > 0;
    say(`  ${disturbances.length} disturbances, ${shape.blocks.length} blocks: ${isBroken ? "fails" : "passes"}`);
    if (isBroken) {
      if (last !== report) last.discard();
      last = found;
    }
    return isBroken;
  };
  const smallest = await shrink(round, fails, { tries: TRIES_OF_A_ROUND, mostRounds: shrinkingRounds });
  if (smallest !== round) {
    say("the smallest that fails:");
    show(smallest, last);
  }
  const folder = join(REPOSITORY, ".setup/torture");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `round-${round.seed}.json`);
  writeFileSync(file, `${JSON.stringify(smallest, null, 2)}\n`);
  say(`repeat it:  pnpm torture --site ${place.name} --round ${file}`);
}

/** One round, as a failure has written it. */
export async function repeatRound(round: Round, { place, clock, say }: TortureSettings): Promise<Tally> {
  const tally = new Tally();
  const report = await runRound(round, place, clock);
  tally.add(report);
  for (const line of report.broken) say(`✗ ${line}`);
  say(report.broken.length === 0 ? "ok" : `  left in ${report.folder}`);
  return tally;
}
