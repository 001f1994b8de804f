/** Beyond it the rest of the distribution is below the precision of a number. */
const FAR = 8.3;
const LOG_SQRT_TAU = 0.5 * Math.log(2 * Math.PI);

/** The standard normal distribution up to `z`, by the series of Marsaglia, "Evaluating the Normal Distribution" (2004). */
export function normalUpTo(z: number): number {
  if (z < -FAR) return 0;
  if (z > FAR) return 1;
  let sum = z;
  let previous = 0;
  let term = z;
  for (let divisor = 3; sum !== previous; divisor += 2) {
    previous = sum;
    term *= (z * z) / divisor;
    sum = previous + term;
  }
  return 0.5 + sum * Math.exp(-0.5 * z * z - LOG_SQRT_TAU);
}

export function logNormalDensity(z: number): number {
  return -0.5 * z * z - LOG_SQRT_TAU;
}
