import { rankByDominance } from "./non-dominated.ts";
import { type Direction, isComplete, lossesOf, lossOf, type Trial } from "./trial.ts";

/**
 * Trials that were scored, best first. Complete ones by their objectives: with several, by front and how alone they
 * stand in it. A pruned one comes behind every trial that was as good as it at the rung where it stopped, and before
 * those further down that were worse there; it may so pass a complete trial that should have been stopped.
 * Failed trials are not in the list.
 */
export function rankTrials(history: readonly Trial[], directions: readonly Direction[]): readonly Trial[] {
  const complete = history.filter(isComplete).sort((a, b) => a.index - b.index);
  const losses = complete.map(({ values }) => lossesOf(values, directions));
  const ranked: Trial[] = rankByDominance(losses).map((place) => complete[place] as Trial);
  for (const { trial, budget, loss } of prunedTrials(history, directions[0])) {
    const behind = ranked.findLastIndex((other) => lossAtBudget(other, budget, directions[0]) <= loss);
    const place = ranked.findIndex(
      (other, index) => index > behind && lossAtBudget(other, budget, directions[0]) > loss,
    );
    ranked.splice(place < 0 ? ranked.length : place, 0, trial);
  }
  return ranked;
}

/** Those that came far first, the better ones of a rung first. */
function prunedTrials(history: readonly Trial[], direction: Direction | undefined) {
  return history
    .flatMap((trial) => {
      const last = trial.state === "pruned" ? trial.rungs.at(-1) : undefined;
      return last ? [{ trial, budget: last.budget, loss: lossOf(last.value, direction) }] : [];
    })
    .sort((a, b) => b.budget - a.budget || a.loss - b.loss || a.trial.index - b.trial.index);
}

/** Not a number where the trial was not looked at; then it compares as neither better nor worse. */
function lossAtBudget(trial: Trial, budget: number, direction: Direction | undefined): number {
  const rung = trial.rungs.find((result) => result.budget === budget);
  return rung ? lossOf(rung.value, direction) : Number.NaN;
}
