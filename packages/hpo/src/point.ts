import { canonical, type Json, WfError } from "@wf/protocol";
import type { Dimension } from "./dimension.ts";
import type { Setting } from "./space.ts";

/**
 * A setting in coordinates: for a number its place on [0, 1], for options the index, undefined where the dimension's
 * branch was not taken. Law: settingAt(pointOf(setting)) is the setting.
 */
export type Point = readonly (number | undefined)[];

/** Whether a dimension exists, given the coordinates before it. */
function isPresent({ condition }: Dimension, before: Point): boolean {
  return condition === undefined || before[condition.dimension] === condition.option;
}

/** Makes a point one coordinate at a time; dimensions of branches not taken are left out. */
export function buildPoint(
  dimensions: readonly Dimension[],
  coordinate: (dimension: Dimension, index: number) => number,
): Point {
  const point: (number | undefined)[] = [];
  for (const [index, dimension] of dimensions.entries())
    point.push(isPresent(dimension, point) ? coordinate(dimension, index) : undefined);
  return point;
}

/** The coordinate for a number drawn from [0, 1]: that of the value that it stands for. */
export function coordinateAt(dimension: Dimension, unit: number): number {
  if (dimension.kind === "options") {
    const last = dimension.options.length - 1;
    return Math.min(last, Math.floor(unit * dimension.options.length));
  }
  const { scale } = dimension;
  return scale.toUnit(scale.fromUnit(unit));
}

export function settingAt(dimensions: readonly Dimension[], point: Point): Setting {
  const setting: { [name: string]: Json } = {};
  for (const [index, dimension] of dimensions.entries()) {
    const coordinate = point[index];
    if (coordinate !== undefined) put(setting, dimension.path, valueAt(dimension, coordinate));
  }
  return setting;
}

export function pointOf(dimensions: readonly Dimension[], setting: Setting): Point {
  return buildPoint(dimensions, (dimension) => {
    const coordinate = coordinateOf(dimension, get(setting, dimension.path));
    if (coordinate !== undefined) return coordinate;
    throw new WfError("WF_SEARCH_SPACE", `the setting ${canonical(setting)} does not lie in the search space`, {
      where: `parameter "${dimension.path.join(".")}"`,
      hint: "a study belongs to one space: start a new study after changing it",
    });
  });
}

function valueAt(dimension: Dimension, coordinate: number): Json {
  return dimension.kind === "options" ? (dimension.options[coordinate] as Json) : dimension.scale.fromUnit(coordinate);
}

function coordinateOf(dimension: Dimension, value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (dimension.kind === "options") {
    const wanted = canonical(value);
    const index = dimension.options.findIndex((option) => canonical(option) === wanted);
    return index < 0 ? undefined : index;
  }
  if (typeof value !== "number") return undefined;
  const unit = dimension.scale.toUnit(value);
  return unit >= 0 && unit <= 1 ? unit : undefined;
}

function put(setting: { [name: string]: Json }, [name = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    setting[name] = value;
  } else {
    setting[name] ??= {};
    put(setting[name] as { [name: string]: Json }, rest, value);
  }
}

function get(setting: Json | undefined, path: readonly string[]): Json | undefined {
  let value = setting;
  for (const name of path) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
    value = (value as Setting)[name];
  }
  return value;
}
