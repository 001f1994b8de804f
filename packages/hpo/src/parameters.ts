import type { Json } from "@wf/protocol";
import { checkParameter } from "./check-space.ts";
import type { Branches, Choice, Integer, LogUniform, OneOf, Parameter, Uniform } from "./space.ts";

/**
 * One of several values, in no order: an activation, a size among a few.
 *
 * @example choice(["relu", "tanh"])
 */
export function choice<const V extends readonly Json[]>(values: V): Choice<V[number]> {
  return checked({ kind: "choice", values: [...values] });
}

/** @example uniform(0, 0.5) */
export function uniform(low: number, high: number): Uniform {
  return checked({ kind: "uniform", low, high });
}

/** @example logUniform(1e-5, 1e-1) */
export function logUniform(low: number, high: number): LogUniform {
  return checked({ kind: "log-uniform", low, high });
}

/**
 * Whole numbers, both ends included.
 *
 * @example integer(1, 8)
 * @example integer(8, 64, { step: 8 })
 * @example integer(1, 1024, { log: true })
 */
export function integer(
  low: number,
  high: number,
  { step = 1, log = false }: { readonly step?: number; readonly log?: boolean } = {},
): Integer {
  return checked({ kind: "integer", low, high, step, log });
}

/**
 * A choice that brings parameters of its own.
 *
 * @example
 * oneOf("name", { sgd: { momentum: uniform(0, 1) }, adam: {} })
 * // { name: "sgd", momentum: 0.9 } or { name: "adam" }
 */
export function oneOf<const F extends string, const B extends Branches>(field: F, branches: B): OneOf<F, B> {
  return checked({ kind: "one-of", field, branches });
}

function checked<P extends Parameter>(parameter: P): P {
  checkParameter(parameter);
  return parameter;
}
