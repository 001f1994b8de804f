import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asha, median, Pruner, shouldContinue } from "./pruner.ts";

const value = fc.integer({ min: -20, max: 20 });
const questions = fc.record({
  pruner: fc.oneof(
    fc.record({ startup: fc.nat(6), warmup: fc.nat(2) }).map((options) => median({ rungs: [1, 3, 9], ...options })),
    fc.integer({ min: 2, max: 5 }).map((eta) => asha({ rungs: [1, 3, 9], eta })),
  ),
  rung: fc.nat(1),
  value,
  others: fc.array(value, { maxLength: 12 }),
  direction: fc.constantFrom("minimise" as const, "maximise" as const),
});

describe("every pruner", () => {
  test("lets a better trial go on where it lets a worse one", () => {
    fc.assert(
      fc.property(questions, fc.nat(5), ({ pruner, ...asked }, better) => {
        const improved = asked.direction === "minimise" ? asked.value - better : asked.value + better;
        if (shouldContinue(pruner, asked)) expect(shouldContinue(pruner, { ...asked, value: improved })).toBe(true);
      }),
    );
  });

  test("always lets the best that was seen go on", () => {
    fc.assert(
      fc.property(questions, ({ pruner, ...asked }) => {
        const best = asked.direction === "minimise" ? Math.min : Math.max;
        expect(shouldContinue(pruner, { ...asked, value: best(asked.value, ...asked.others) })).toBe(true);
      }),
    );
  });

  test("does not look at the order, nor at trials without a number", () => {
    fc.assert(
      fc.property(questions, ({ pruner, ...asked }) => {
        const others = [Number.NaN, ...asked.others.toReversed(), Number.POSITIVE_INFINITY];
        expect(shouldContinue(pruner, { ...asked, others })).toBe(shouldContinue(pruner, asked));
      }),
    );
  });

  test("means the same upside down", () => {
    fc.assert(
      fc.property(questions, ({ pruner, ...asked }) => {
        const turned = {
          rung: asked.rung,
          value: -asked.value,
          others: asked.others.map((other) => -other),
          direction: asked.direction === "minimise" ? ("maximise" as const) : ("minimise" as const),
        };
        expect(shouldContinue(pruner, turned)).toBe(shouldContinue(pruner, asked));
      }),
    );
  });

  test("stops what is not a number, and is plain data", () => {
    fc.assert(
      fc.property(questions, ({ pruner, ...asked }) => {
        expect(shouldContinue(pruner, { ...asked, value: Number.NaN })).toBe(false);
        expect(Pruner.parse(JSON.parse(JSON.stringify(pruner)))).toEqual(pruner);
      }),
    );
  });
});

test("the median stops what is worse than half of the others, once enough are there", () => {
  const pruner = median({ rungs: [1, 2, 4], startup: 3, warmup: 1 });
  const ask = (rung: number, own: number, others: readonly number[]) =>
    shouldContinue(pruner, { rung, value: own, others, direction: "minimise" });
  expect(ask(1, 2.5, [1, 2, 3])).toBe(false);
  expect(ask(1, 2, [1, 2, 3])).toBe(true);
  expect(ask(1, 2.6, [1, 2, 3, 4])).toBe(false);
  expect(ask(1, 2.5, [1, 2, 3, 4])).toBe(true);
  expect(ask(1, 9, [1, 2])).toBe(true);
  expect(ask(0, 9, [1, 2, 3])).toBe(true);
});

test("asha keeps one in eta, itself counted", () => {
  const pruner = asha({ rungs: [1, 3], eta: 3 });
  const ask = (own: number, others: readonly number[]) =>
    shouldContinue(pruner, { rung: 0, value: own, others, direction: "maximise" });
  expect(ask(1, [])).toBe(true);
  expect(ask(1, [2])).toBe(false);
  expect(ask(2, [2])).toBe(true);
  expect(ask(4, [5, 3, 2, 1])).toBe(false);
  expect(ask(4, [5, 3, 2, 1, 0])).toBe(true);
});

test.each([
  ["rungs that fall", () => asha({ rungs: [3, 1] })],
  ["a rung twice", () => median({ rungs: [1, 1] })],
  ["no rungs", () => asha({ rungs: [] })],
  ["a budget of nothing", () => asha({ rungs: [0, 1] })],
  ["an eta that stops nobody", () => asha({ rungs: [1, 3], eta: 1 })],
  ["half a trial", () => median({ rungs: [1, 3], startup: 2.5 })],
])("%s is refused", (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: "WF_SEARCH_OPTION" }));
});
