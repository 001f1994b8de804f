import { canonical } from "@wf/protocol";
import { describe, expect, test } from "vitest";
import { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
import { random } from "./random.ts";
import { suggest } from "./sampler.ts";
import { median, searched } from "./test-searching.ts";
import { tpe } from "./tpe.ts";
import { endedTrial } from "./trial.ts";

const SEEDS = [1, 2, 3, 4, 5];

const bowl = { x: uniform(-3, 7), y: uniform(-3, 7), z: uniform(-3, 7) };
const network = {
  lr: logUniform(1e-5, 1),
  opt: oneOf("name", { adam: {}, sgd: { momentum: uniform(0, 1) } }),
  act: choice(["relu", "tanh", "none"]),
  depth: integer(1, 8),
};

describe("tpe finds what is better than chance does", () => {
  test.each([1, 4])("on a bowl, with %i at once", (window) => {
    const measure = ({ x, y, z }: { x: number; y: number; z: number }) => [x * x + y * y + z * z];
    const least = (sampler: typeof tpe | typeof random) =>
      median(
        SEEDS.map((seed) =>
          Math.min(
            ...searched(bowl, measure, { sampler: sampler({ seed }), trials: 50, window }).map(
              (t) => t.values?.[0] ?? 99,
            ),
          ),
        ),
      );
    expect(least(tpe)).toBeLessThan(least(random) / 3);
  });

  test("with choices, branches and logarithms, upside down too", () => {
    const most = (sampler: typeof tpe | typeof random) =>
      median(
        SEEDS.map((seed) => {
          const trials = searched(
            network,
            ({ lr, opt, act, depth }) => [
              -((Math.log10(lr) + 3) ** 2) -
                (opt.name === "sgd" ? Math.abs(opt.momentum - 0.9) : 1) -
                (act === "tanh" ? 0 : 1) -
                Math.abs(depth - 5) / 2,
            ],
            { sampler: sampler({ seed }), trials: 50, directions: ["maximise"] },
          );
          return Math.max(...trials.map((trial) => trial.values?.[0] ?? -99));
        }),
      );
    expect(most(tpe)).toBeGreaterThan(most(random) / 3);
  });
});

test("tpe leaves the region where trials fail", () => {
  const measure = ({ x, y }: { x: number; y: number }) => [x > 0.5 ? Number.NaN : y];
  const failures = SEEDS.map((seed) => {
    const late = searched({ x: uniform(0, 1), y: uniform(0, 1) }, measure, {
      sampler: tpe({ seed }),
      trials: 40,
    }).slice(20);
    return late.filter(({ state }) => state === "failed").length;
  });
  expect(median(failures)).toBeLessThan(5); // of 20; by chance it would be half of them
});

test("tpe goes on when every trial has failed", () => {
  const trials = searched(bowl, () => [Number.NaN], { sampler: tpe({ startup: 3 }), trials: 8 });
  expect(new Set(trials.map(({ setting }) => canonical(setting))).size).toBe(8);
});

test("tpe learns from stopped trials", () => {
  const space = { x: uniform(0, 1) };
  const history = Array.from({ length: 20 }, (_, index) => {
    const x = (index + 0.5) / 20;
    return endedTrial({
      index,
      setting: { x },
      values: null,
      rungs: [{ budget: 1, value: Math.abs(x - 0.2) }],
      isPruned: true,
    });
  });
  const near = SEEDS.map((seed) => suggest(tpe({ seed }), { space, directions: ["minimise"], index: 20, history }).x);
  expect(Math.abs(median(near) - 0.2)).toBeLessThan(0.15);
});

test("tpe tries no setting twice while there are others", () => {
  const space = { a: choice(["x", "y", "z"]), n: integer(1, 5), b: choice([true, false]) };
  const cost = ({ a, n }: { a: string; n: number }) => [n + (a === "x" ? 0 : 3)];
  const trials = searched(space, cost, { sampler: tpe({ seed: 1, startup: 5 }), trials: 20 });
  expect(new Set(trials.slice(5).map(({ setting }) => canonical(setting))).size).toBe(15);
  const one = searched({ a: choice(["x"]) }, () => [1], { sampler: tpe({ startup: 1 }), trials: 3 });
  expect(one.map(({ setting }) => setting)).toEqual([{ a: "x" }, { a: "x" }, { a: "x" }]);
});

test("tpe takes several objectives", () => {
  const trials = searched({ x: uniform(0, 1), y: uniform(0, 1) }, ({ x, y }) => [x + y, 1 - x + y], {
    sampler: tpe({ seed: 2 }),
    trials: 40,
    directions: ["minimise", "minimise"],
  });
  expect(median(trials.slice(20).map(({ setting }) => setting.y as number))).toBeLessThan(0.2);
});

test.each([{ startup: 0 }, { startup: 1.5 }, { seed: 0.5 }])("tpe refuses %o", (options) => {
  expect(() => tpe(options)).toThrow(expect.objectContaining({ code: "WF_SEARCH_OPTION" }));
});
