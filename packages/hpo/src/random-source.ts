/** Numbers that look random and follow from a seed alone. */
export interface RandomSource {
  /** In [0, 1), with 53 bits. */
  next(): number;
  /** A whole number in [0, count). */
  below(count: number): number;
  /** From the standard normal distribution. */
  normal(): number;
}

/**
 * xoshiro128** of Blackman and Vigna (public domain), started from the seeds by the finaliser of MurmurHash3
 * (public domain). Whole-number arithmetic only: every machine draws the same numbers.
 * Sources with different seeds, such as (seed, trial), are independent of each other.
 */
export function randomSource(...seeds: readonly number[]): RandomSource {
  let mixed = seeds.length;
  for (const seed of seeds) {
    mixed = scramble(mixed ^ (seed | 0));
    mixed = scramble(mixed ^ Math.floor(seed / 2 ** 32));
  }
  const state = Uint32Array.from({ length: 4 }, (_, word) => scramble(mixed + Math.imul(word + 1, 0x9e3779b9)));
  const bits = () => nextBits(state);
  const next = () => ((bits() >>> 5) * 2 ** 26 + (bits() >>> 6)) / 2 ** 53;
  return {
    next,
    below: (count) => Math.floor(next() * count),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

function nextBits(state: Uint32Array): number {
  let [a, b, c, d] = state as unknown as [number, number, number, number];
  const bits = Math.imul(rotated(Math.imul(b, 5), 7), 9);
  const shifted = b << 9;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= shifted;
  d = rotated(d, 11);
  state.set([a, b, c, d]);
  return bits;
}

function rotated(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by));
}

function scramble(bits: number): number {
  let mixed = bits | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
