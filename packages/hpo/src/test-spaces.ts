import { canonical, type Json, WfError } from "@wf/protocol";
import fc from "fast-check";
import { type GridSampler, gridSize } from "./grid.ts";
import { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
import type { Parameter, Setting, Space } from "./space.ts";
import { type Direction, endedTrial, type Trial } from "./trial.ts";

const name = fc.constantFrom("a", "b", "c", "d", "e");
const bound = fc.integer({ min: -50, max: 50 });
const width = fc.integer({ min: 1, max: 40 });

const choices = fc
  .uniqueArray(fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 4 })
  .map((values) => choice(values));
const uniforms = fc.tuple(bound, width).map(([low, size]) => uniform(low / 8, (low + size) / 8));
const logUniforms = fc
  .tuple(fc.integer({ min: -9, max: 3 }), width)
  .map(([exponent, size]) => logUniform(10 ** exponent, 10 ** exponent * (1 + size)));
const integers = fc
  .tuple(bound, width, fc.integer({ min: 1, max: 5 }))
  .map(([low, size, step]) => integer(low, low + Math.max(size, step), { step }));
const logIntegers = fc
  .tuple(fc.integer({ min: 1, max: 50 }), width)
  .map(([low, size]) => integer(low, low + size, { log: true }));

function parameters(depth: number): fc.Arbitrary<Parameter> {
  const plain: fc.Arbitrary<Parameter> = fc.oneof(choices, uniforms, logUniforms, integers, logIntegers);
  if (depth === 0) return plain;
  const branch = fc.dictionary(name, parameters(depth - 1), { maxKeys: 2 });
  const conditional = fc
    .dictionary(fc.constantFrom("left", "middle", "right"), branch, { minKeys: 1, maxKeys: 3 })
    .map((branches): Parameter => oneOf("kind", branches));
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: conditional });
}

/** Any space that may be searched, with branches in branches. */
export const spaces: fc.Arbitrary<Space> = fc.dictionary(name, parameters(2), { minKeys: 1, maxKeys: 4 });

/** Whether a grid over the space may be walked: one with too many points is refused. */
export function hasGrid(space: Space, sampler: GridSampler): boolean {
  try {
    return gridSize(space, sampler) > 0;
  } catch (error) {
    if (error instanceof WfError && error.code === "WF_SEARCH_SPACE") return false;
    throw error;
  }
}

/** Says by the words of the space, not by coordinates, whether a setting has a fitting value for every parameter. */
export function liesIn(space: Space, setting: Json | undefined): boolean {
  if (setting === undefined || setting === null || typeof setting !== "object" || Array.isArray(setting)) return false;
  const given = setting as Setting;
  const names = Object.keys(space);
  return (
    canonical(names.sort()) === canonical(Object.keys(given).sort()) &&
    names.every((key) => fits(space[key], given[key]))
  );
}

function fits(parameter: Parameter | undefined, value: Json | undefined): boolean {
  if (parameter === undefined || value === undefined) return false;
  switch (parameter.kind) {
    case "choice":
      return parameter.values.some((option) => canonical(option) === canonical(value));
    case "uniform":
    case "log-uniform":
      return typeof value === "number" && value >= parameter.low && value <= parameter.high;
    case "integer": {
      const { low, high, step } = parameter;
      return typeof value === "number" && value >= low && value <= high && (value - low) % step === 0;
    }
    case "one-of": {
      const { [parameter.field]: branch, ...rest } = value as Setting;
      const space = parameter.branches[branch as string];
      return space !== undefined && liesIn(space, rest);
    }
  }
}

/** How a trial may have ended, whatever its setting. */
export interface Ending {
  readonly state: Trial["state"];
  readonly value: number;
  readonly rung: number;
}

export const endings: fc.Arbitrary<Ending> = fc.record({
  state: fc.constantFrom("complete", "complete", "complete", "pruned", "failed"),
  value: fc.integer({ min: -5, max: 5 }),
  rung: fc.constantFrom(1, 3),
});

/** A history with settings from outside, ended as told. */
export function historyOf(
  endingsInOrder: readonly Ending[],
  settingAt: (index: number) => Setting,
  directions: readonly Direction[],
): readonly Trial[] {
  return endingsInOrder.map(({ state, value, rung }, index) =>
    endedTrial({
      index,
      setting: settingAt(index),
      values: state === "complete" ? directions.map((_, objective) => value * (objective % 2 === 0 ? 1 : -1)) : null,
      rungs: state === "pruned" ? [{ budget: rung, value }] : [],
      isPruned: state === "pruned",
    }),
  );
}

/** The same space, its names in the opposite order. */
export function reversed(space: Space): Space {
  const entries = Object.entries(space).reverse();
  return Object.fromEntries(
    entries.map(([key, parameter]) => {
      if (parameter.kind !== "one-of") return [key, parameter];
      const branches = Object.entries(parameter.branches).reverse();
      return [
        key,
        { ...parameter, branches: Object.fromEntries(branches.map(([at, inner]) => [at, reversed(inner)])) },
      ];
    }),
  );
}
