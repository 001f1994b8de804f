/**
 * Which part of the data an artifact was made from. Law: train and test do not mix. The splits of an output
 * are the union of its inputs' splits; a task that fits takes neither "test" nor "unsplit" data.
 * An artifact with no split at all is reference material (code, a vocabulary, a constant) and goes anywhere.
 */
export const SPLITS = ["unsplit", "train", "val", "test"] as const;
export type Split = (typeof SPLITS)[number];

/** What a task that fits may be given. */
export type FitSplit = "train" | "val";

export type SplitSet = readonly Split[];

export function unionOfSplits(sets: Iterable<SplitSet>): SplitSet {
  const all = new Set<Split>();
  for (const set of sets) for (const split of set) all.add(split);
  return SPLITS.filter((split) => all.has(split));
}

export function mayFit(splits: SplitSet): boolean {
  return splits.every((split) => split === "train" || split === "val");
}
