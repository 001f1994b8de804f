import type { Round } from "./round.ts";
import { smallerShapes } from "./workflow-shape.ts";

/** Rounds that are a little smaller, the boldest first: half of the disturbances, then single ones, then the workflow. */
function smallerRounds(round: Round): readonly Round[] {
  const { disturbances, shape } = round;
  const fewer: Round[] = [];
  for (let size = Math.ceil(disturbances.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < disturbances.length; start += size) {
      fewer.push({ ...round, disturbances: disturbances.toSpliced(start, size) });
    }
  }
  return [...fewer, ...smallerShapes(shape).map((smaller) => ({ ...round, shape: smaller }))];
}

export interface ShrinkOptions {
  /** Tries in which a round has to fail once: what happens at the same moment is not always the same. */
  readonly tries: number;
  /** Of all rounds together. */
  readonly mostRounds: number;
}

/** The smallest round found that still fails, by taking away as long as something can be taken away. */
export async function shrink(
  failing: Round,
  fails: (round: Round) => Promise<boolean>,
  { tries, mostRounds }: ShrinkOptions,
): Promise<Round> {
  let smallest = failing;
  let rounds = 0;
  const failsOnce = async (round: Round): Promise<boolean> => {
    for (let i = 0; i < tries && rounds < mostRounds; i++) {
      rounds += 1;
      if (await fails(round)) return true;
    }
    return false;
  };
  for (let isSmaller = true; isSmaller && rounds < mostRounds; ) {
    isSmaller = false;
    for (const candidate of smallerRounds(smallest)) {
      if (await failsOnce(candidate)) {
        smallest = candidate;
        isSmaller = true;
        break;
      }
    }
  }
  return smallest;
}
