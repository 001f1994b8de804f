import { median } from "../median-seconds.ts";

const ROUNDS = 3;

/** Medians in seconds. Both take turns, so that what else the machine does meets them alike; each round is shown. */
export async function takeTurns({
  byHand,
  byWf,
}: {
  byHand(): Promise<number>;
  byWf(): Promise<number>;
}): Promise<{ readonly hand: number; readonly wf: number }> {
  const rounds: { hand: number; wf: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const hand = await byHand();
    const wf = await byWf();
    process.stderr.write(`  by hand ${hand.toFixed(1)} s, wf ${wf.toFixed(1)} s\n`);
    rounds.push({ hand, wf });
  }
  return { hand: median(rounds.map(({ hand }) => hand)), wf: median(rounds.map(({ wf }) => wf)) };
}
