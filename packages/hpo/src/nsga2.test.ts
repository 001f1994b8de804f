import { describe, expect, test } from "vitest";
import { nonDominatedFronts } from "./non-dominated.ts";
import { nsga2 } from "./nsga2.ts";
import { choice, oneOf, uniform } from "./parameters.ts";
import { random } from "./random.ts";
import { suggest } from "./sampler.ts";
import { median, searched } from "./test-searching.ts";
import type { Trial } from "./trial.ts";

const space = { x: uniform(0, 1), a: uniform(0, 1), b: uniform(0, 1), c: uniform(0, 1), kind: choice(["u", "v"]) };
type Setting = { x: number; a: number; b: number; c: number; kind: string };
const measure = ({ x, a, b, c, kind }: Setting) => {
  const height = 1 + 3 * (a + b + c) + (kind === "v" ? 0 : 1);
  return [x, height * (1 - Math.sqrt(x / height))];
};

/** How far above the true front the found one lies, on average. */
function distance(trials: readonly Trial[]): number {
  const losses = trials.flatMap(({ values }) => (values ? [values] : []));
  const front = nonDominatedFronts(losses)[0] ?? [];
  const above = front.map((index) => (losses[index]?.[1] ?? 0) - (1 - Math.sqrt(losses[index]?.[0] ?? 0)));
  return above.reduce((sum, gap) => sum + gap, 0) / above.length;
}

describe("nsga2", () => {
  test.each([1, 5])("comes nearer to the front than chance does, with %i at once", (window) => {
    const found = (sampler: typeof nsga2 | typeof random) =>
      median(
        [1, 2, 3].map((seed) =>
          distance(
            searched(space, measure, {
              sampler: sampler({ seed }),
              trials: 120,
              directions: ["minimise", "minimise"],
              window,
            }),
          ),
        ),
      );
    expect(found(nsga2)).toBeLessThan(found(random) * 0.7);
  });

  test("does not look at trials of the same generation", () => {
    const trials = searched(space, measure, {
      sampler: nsga2({ population: 4 }),
      trials: 12,
      directions: ["minimise", "minimise"],
    });
    const ask = (history: readonly Trial[]) =>
      suggest(nsga2({ population: 4 }), { space, directions: ["minimise", "minimise"], index: 11, history });
    expect(ask(trials.slice(0, 8))).toEqual(ask(trials.slice(0, 11)));
  });

  test("goes on where nothing has succeeded, and in branches", () => {
    const branches = { opt: oneOf("name", { a: { x: uniform(0, 1) }, b: { y: uniform(0, 1) }, c: {} }) };
    const failing = searched(branches, () => [Number.NaN, 1], { sampler: nsga2({ population: 3 }), trials: 9 });
    expect(failing.every(({ state }) => state === "failed")).toBe(true);
    const mixed = searched(branches, ({ opt }) => [opt.name === "a" ? opt.x : opt.name === "b" ? opt.y + 0.5 : 2], {
      sampler: nsga2({ seed: 1, population: 6 }),
      trials: 60,
    });
    expect(Math.min(...mixed.map(({ values }) => values?.[0] ?? 9))).toBeLessThan(0.05);
  });

  test("makes other children in a small space until all are tried", () => {
    const small = { a: choice([1, 2, 3]), b: choice([1, 2, 3]) };
    const trials = searched(small, ({ a, b }) => [a + b], { sampler: nsga2({ population: 3 }), trials: 9 });
    expect(new Set(trials.slice(3).map(({ setting }) => JSON.stringify(setting))).size).toBe(6);
  });

  test.each([{ population: 1 }, { seed: 0.1 }])("refuses %o", (options) => {
    expect(() => nsga2(options)).toThrow(expect.objectContaining({ code: "WF_SEARCH_OPTION" }));
  });
});
