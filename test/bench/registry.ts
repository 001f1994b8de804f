import type { Benchmark } from "./benchmark.ts";
import { startup } from "./startup.ts";

/** All benchmarks, from the quickest to the slowest. */
export const BENCHMARKS: readonly Benchmark[] = [startup];
