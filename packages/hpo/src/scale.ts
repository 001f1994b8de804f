import type { Integer, LogUniform, Uniform } from "./space.ts";

/**
 * How a range of numbers lies on [0, 1]: evenly, or evenly in the logarithm. A whole number owns a cell there and
 * stands in its middle, so that every one is equally likely (in the logarithm: in proportion to its cell).
 */
export interface Scale {
  toUnit(value: number): number;
  fromUnit(unit: number): number;
  /** How many values there are; infinite for a continuous range. */
  readonly count: number;
  /** The part of [0, 1] that stands for the same value; a point for a continuous range. */
  cellOf(unit: number): readonly [low: number, high: number];
}

export function scaleOf(range: Uniform | LogUniform | Integer): Scale {
  if (range.kind === "integer") return integerScale(range);
  const { low, high } = range;
  const isLog = range.kind === "log-uniform";
  const { toUnit, fromUnit } = straight(low, high, isLog);
  return {
    toUnit,
    fromUnit(unit) {
      if (unit <= 0 || unit >= 1) return unit <= 0 ? low : high;
      const value = fromUnit(unit);
      return clamp(rounded(value, isLog ? value : high - low), low, high);
    },
    count: Number.POSITIVE_INFINITY,
    cellOf: (unit) => [unit, unit],
  };
}

function integerScale({ low, high, step, log }: Integer): Scale {
  const count = Math.floor((high - low) / step) + 1;
  const last = low + (count - 1) * step;
  const line = straight(low - step / 2, last + step / 2, log);
  const fromUnit = (unit: number) => low + clamp(Math.round((line.fromUnit(unit) - low) / step), 0, count - 1) * step;
  const cellOf = (unit: number): readonly [number, number] => {
    const value = fromUnit(unit);
    return [line.toUnit(value - step / 2), line.toUnit(value + step / 2)];
  };
  const toUnit = (value: number) => {
    const [start, end] = cellOf(line.toUnit(value));
    return (start + end) / 2;
  };
  return { toUnit, fromUnit, count, cellOf };
}

function straight(low: number, high: number, isLog: boolean): Pick<Scale, "toUnit" | "fromUnit"> {
  const [start, end] = isLog ? [Math.log(low), Math.log(high)] : [low, high];
  const width = end - start;
  return {
    toUnit: (value) => ((isLog ? Math.log(value) : value) - start) / width,
    fromUnit: (unit) => (isLog ? Math.exp(start + unit * width) : start + unit * width),
  };
}

const DIGITS = 8;

/** As many digits as tell values apart that differ by a part of `size`; people have to read them. */
function rounded(value: number, size: number): number {
  const digits = DIGITS + Math.max(0, Math.ceil(Math.log10(Math.abs(value) / size)));
  return digits > 15 ? value : Number(value.toPrecision(digits));
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
