const LESS_IS_BETTER =
  /(^|[^a-z])(loss|errors?|err|mae|mse|rmse|nll|bce|regret|perplexity|distance|cost|misses|seconds)([^a-z]|$)/i;

/** Which end of a metric is its best: a guess by its name, so whoever shows it says which end was taken. */
export function bestEnd(metric: string): "lowest" | "highest" {
  return LESS_IS_BETTER.test(metric) ? "lowest" : "highest";
}

export const END_SIGN = { lowest: "↓", highest: "↑" } as const;
