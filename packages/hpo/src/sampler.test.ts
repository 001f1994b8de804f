import { canonical } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grid } from "./grid.ts";
import { nsga2 } from "./nsga2.ts";
import { random } from "./random.ts";
import { Sampler, suggest } from "./sampler.ts";
import type { Setting } from "./space.ts";
import { endings, hasGrid, historyOf, liesIn, reversed, spaces } from "./test-spaces.ts";
import { tpe } from "./tpe.ts";
import type { Direction } from "./trial.ts";

const seed = fc.integer({ min: 0, max: 2 ** 40 });
const samplers = fc.oneof(
  fc.constant(grid({ points: 3 })),
  seed.map((value) => random({ seed: value })),
  seed.map((value) => tpe({ seed: value, startup: 4 })),
  seed.map((value) => nsga2({ seed: value, population: 4 })),
);
const directions = fc.constantFrom<Direction[]>(["minimise"], ["maximise"], ["minimise", "maximise"]);

/** A space, a sampler, trials that ended one way or another, and how many of the last of them are still running. */
const searches = fc
  .record({
    space: spaces,
    sampler: samplers,
    directions,
    endings: fc.array(endings, { maxLength: 12 }),
    running: fc.integer({ min: 0, max: 4 }),
  })
  .filter(({ space, sampler }) => sampler.kind !== "grid" || hasGrid(space, sampler));

function stateOf(search: typeof searches extends fc.Arbitrary<infer T> ? T : never) {
  const { space, directions: wanted, running } = search;
  const setting = (index: number): Setting =>
    suggest(random({ seed: 9 }), { space, directions: wanted, index, history: [] }) as Setting;
  const all = historyOf(search.endings, setting, wanted);
  return { space, directions: wanted, index: all.length, history: all.slice(0, Math.max(0, all.length - running)) };
}

describe("every sampler", () => {
  test("gives settings that lie in their space", () => {
    fc.assert(
      fc.property(searches, (search) => {
        expect(liesIn(search.space, suggest(search.sampler, stateOf(search)) as Setting)).toBe(true);
      }),
      cases(400),
    );
  });

  test("gives the same for the same, and is plain data", () => {
    fc.assert(
      fc.property(searches, (search) => {
        const stored = Sampler.parse(JSON.parse(JSON.stringify(search.sampler)));
        expect(suggest(stored, stateOf(search))).toEqual(suggest(search.sampler, stateOf(search)));
      }),
    );
  });

  test("does not look at the order in which trials ended", () => {
    fc.assert(
      fc.property(searches, fc.infiniteStream(fc.nat()), (search, order) => {
        const state = stateOf(search);
        const shuffled = state.history
          .map((trial) => ({ trial, key: order.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ trial }) => trial);
        expect(suggest(search.sampler, { ...state, history: shuffled })).toEqual(suggest(search.sampler, state));
      }),
    );
  });

  test("does not look at the order of the names", () => {
    fc.assert(
      fc.property(searches, (search) => {
        const state = stateOf(search);
        const other = { ...state, space: reversed(search.space) };
        const text = (given: typeof state) => canonical(suggest(search.sampler, given) as Setting);
        expect(text(other)).toBe(text(state));
      }),
    );
  });

  test("leaves what it is given as it is", () => {
    fc.assert(
      fc.property(searches, (search) => {
        const state = stateOf(search);
        const before = JSON.stringify(state);
        suggest(search.sampler, state);
        expect(JSON.stringify(state)).toBe(before);
      }),
    );
  });
});

test.each([random, tpe, nsga2])("another seed is another search", (sampler) => {
  const space = spacesOfOne();
  const drawn = [1, 2].map((value) =>
    suggest(sampler({ seed: value }), { space, directions: ["minimise"], index: 0, history: [] }),
  );
  expect(drawn[0]).not.toEqual(drawn[1]);
});

test("a setting from another space is refused", () => {
  const history = historyOf([{ state: "complete", value: 1, rung: 1 }], () => ({ y: 0.5 }), ["minimise"]);
  const ask = () => suggest(tpe({ startup: 1 }), { space: spacesOfOne(), directions: ["minimise"], index: 1, history });
  expect(ask).toThrow(expect.objectContaining({ code: "WF_SEARCH_SPACE", where: 'parameter "x"' }));
});

function spacesOfOne() {
  return { x: { kind: "uniform", low: 0, high: 1 } } as const;
}
