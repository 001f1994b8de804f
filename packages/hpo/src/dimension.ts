import type { Json } from "@wf/protocol";
import { type Scale, scaleOf } from "./scale.ts";
import type { Parameter, Space } from "./space.ts";

/** One coordinate of a point of the space: a number on a scale, or one of several options. */
export type Dimension = NumberDimension | OptionDimension;

interface Place {
  /** Where its value stands in a setting. */
  readonly path: readonly string[];
  /** The option of an earlier dimension under which this one exists; undefined if it always does. */
  readonly condition: { readonly dimension: number; readonly option: number } | undefined;
}
export interface NumberDimension extends Place {
  readonly kind: "number";
  readonly scale: Scale;
}
export interface OptionDimension extends Place {
  readonly kind: "options";
  readonly options: readonly Json[];
}

/** The space as a list of coordinates, ordered by name; a dimension comes after the one that it depends on. */
export function dimensionsOf(space: Space): readonly Dimension[] {
  const dimensions: Dimension[] = [];
  addSpace(dimensions, space, { path: [], condition: undefined });
  return dimensions;
}

function addSpace(dimensions: Dimension[], space: Space, { path, condition }: Place): void {
  for (const name of Object.keys(space).sort())
    addParameter(dimensions, space[name] as Parameter, { path: [...path, name], condition });
}

function addParameter(dimensions: Dimension[], parameter: Parameter, place: Place): void {
  if (parameter.kind === "choice") {
    dimensions.push({ kind: "options", options: parameter.values, ...place });
  } else if (parameter.kind === "one-of") {
    const branches = Object.keys(parameter.branches).sort();
    const dimension = dimensions.length;
    const path = [...place.path, parameter.field];
    dimensions.push({ kind: "options", options: branches, path, condition: place.condition });
    for (const [option, branch] of branches.entries()) {
      const condition = { dimension, option };
      addSpace(dimensions, parameter.branches[branch] as Space, { path: place.path, condition });
    }
  } else {
    dimensions.push({ kind: "number", scale: scaleOf(parameter), ...place });
  }
}
