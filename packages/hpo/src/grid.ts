import { type Json, WfError } from "@wf/protocol";
import { z } from "zod";
import { refuseOption } from "./refuse-option.ts";
import { scaleOf } from "./scale.ts";
import type { Integer, LogUniform, OneOf, Parameter, Setting, Space, Uniform } from "./space.ts";

export const GridSampler = z.object({ kind: z.literal("grid"), points: z.number().int().min(2) });
export type GridSampler = z.infer<typeof GridSampler>;

const MOST_POINTS = 1_000_000;

/**
 * Every combination once, the last name (in alphabetical order) changing fastest. Choices and whole numbers give all
 * their values; a continuous range, and a logarithmic range of whole numbers, gives `points` of them, evenly on its
 * scale and with both ends (default 5).
 *
 * A search has as many trials as the grid has points, unless it says otherwise. With fewer, the first points are
 * tried; with more, it starts again from the first, and those trials are found in the cache.
 *
 * @example grid({ points: 3 })
 */
export function grid({ points = 5 }: { readonly points?: number } = {}): GridSampler {
  const sampler: GridSampler = { kind: "grid", points };
  if (!GridSampler.safeParse(sampler).success)
    refuseOption(`grid({ points: ${points} }): a range has at least its two ends`, "such as grid({ points: 5 })");
  return sampler;
}

/** How many combinations there are. */
export function gridSize(space: Space, { points }: GridSampler = grid()): number {
  const size = spaceSize(space, points);
  if (size <= MOST_POINTS) return size;
  throw new WfError("WF_SEARCH_SPACE", `the grid has ${size} points, more than ${MOST_POINTS}`, {
    hint: "take fewer points, a larger step or fewer parameters, or another sampler: random, tpe",
  });
}

export function gridSetting(space: Space, sampler: GridSampler, index: number): Setting {
  return spaceValue(space, sampler.points, index % gridSize(space, sampler));
}

function spaceSize(space: Space, points: number): number {
  return Object.values(space).reduce((size, parameter) => size * parameterSize(parameter, points), 1);
}

function parameterSize(parameter: Parameter, points: number): number {
  switch (parameter.kind) {
    case "choice":
      return parameter.values.length;
    case "one-of":
      return Object.values(parameter.branches).reduce((size, branch) => size + spaceSize(branch, points), 0);
    default:
      return rangeValues(parameter, points).count;
  }
}

function spaceValue(space: Space, points: number, index: number): Setting {
  const setting: { [name: string]: Json } = {};
  let rest = index;
  for (const name of Object.keys(space).sort().reverse()) {
    const parameter = space[name] as Parameter;
    const size = parameterSize(parameter, points);
    setting[name] = parameterValue(parameter, points, rest % size);
    rest = Math.floor(rest / size);
  }
  return setting;
}

function parameterValue(parameter: Parameter, points: number, index: number): Json {
  switch (parameter.kind) {
    case "choice":
      return parameter.values[index] as Json;
    case "one-of":
      return branchValue(parameter, points, index);
    default:
      return rangeValues(parameter, points).valueAt(index);
  }
}

function branchValue({ field, branches }: OneOf, points: number, index: number): Setting {
  let rest = index;
  for (const branch of Object.keys(branches).sort()) {
    const space = branches[branch] as Space;
    const size = spaceSize(space, points);
    if (rest < size) return { [field]: branch, ...spaceValue(space, points, rest) };
    rest -= size;
  }
  throw new WfError("WF_INTERNAL", `the grid of oneOf("${field}") has no point ${index}`);
}

interface RangeValues {
  readonly count: number;
  valueAt(index: number): number;
}

function rangeValues(range: Uniform | LogUniform | Integer, points: number): RangeValues {
  if (range.kind === "integer" && (!range.log || range.high - range.low < points))
    return { count: scaleOf(range).count, valueAt: (index) => range.low + index * range.step };
  const { fromUnit } = scaleOf(range.kind === "integer" ? { ...range, kind: "log-uniform" } : range);
  const even = Array.from({ length: points }, (_, index) => fromUnit(index / (points - 1)));
  const values = [...new Set(range.kind === "integer" ? even.map(Math.round) : even)];
  return { count: values.length, valueAt: (index) => values[index] as number };
}
