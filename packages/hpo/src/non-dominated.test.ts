import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crowdingDistances, dominates, type Losses, nonDominatedFronts, rankByDominance } from "./non-dominated.ts";

const loss = fc.integer({ min: 0, max: 6 });
const populations = fc
  .integer({ min: 1, max: 3 })
  .chain((objectives) =>
    fc.array(fc.array(loss, { minLength: objectives, maxLength: objectives }), { minLength: 1, maxLength: 14 }),
  );

describe("domination", () => {
  test("is a strict partial order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(loss, loss), { minLength: 3, maxLength: 3 }), ([a, b, c]) => {
        if (!a || !b || !c) return;
        expect(dominates(a, a)).toBe(false);
        if (dominates(a, b)) expect(dominates(b, a)).toBe(false);
        if (dominates(a, b) && dominates(b, c)) expect(dominates(a, c)).toBe(true);
      }),
    );
  });
});

describe("fronts", () => {
  test("hold everyone once", () => {
    fc.assert(
      fc.property(populations, (losses) => {
        const all = nonDominatedFronts(losses).flat();
        expect(all.toSorted((a, b) => a - b)).toEqual(losses.map((_, index) => index));
      }),
    );
  });

  test("have no member that beats another of the same front, and one before that beats each of the next", () => {
    fc.assert(
      fc.property(populations, (losses) => {
        const at = (index: number) => losses[index] as Losses;
        const fronts = nonDominatedFronts(losses);
        for (const [rank, front] of fronts.entries()) {
          expect(front.some((a) => front.some((b) => dominates(at(a), at(b))))).toBe(false);
          for (const member of fronts[rank + 1] ?? [])
            expect(front.some((better) => dominates(at(better), at(member)))).toBe(true);
        }
      }),
    );
  });

  test("of one objective are its values in order", () => {
    expect(nonDominatedFronts([[3], [1], [2], [1]])).toEqual([[1, 3], [2], [0]]);
  });
});

test("the order by rank agrees with the fronts", () => {
  fc.assert(
    fc.property(populations, (losses) => {
      const rank = new Map(nonDominatedFronts(losses).flatMap((front, place) => front.map((index) => [index, place])));
      const ranks = rankByDominance(losses).map((index) => rank.get(index) as number);
      expect(ranks).toHaveLength(losses.length);
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    }),
  );
});

describe("crowding", () => {
  test("keeps the ends, and prefers gaps", () => {
    const front = [
      [0, 10],
      [1, 9],
      [5, 4],
      [10, 0],
    ];
    const [first, crowded, lonely, last] = crowdingDistances(front) as [number, number, number, number];
    expect([first, last]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(lonely).toBeGreaterThan(crowded);
    expect(rankByDominance([...front, [11, 11]])).toEqual([0, 3, 2, 1, 4]);
  });

  test("of equals is zero", () => {
    expect(
      crowdingDistances([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual([0, 0]);
  });
});
