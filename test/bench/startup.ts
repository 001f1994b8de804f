import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";
import type { Benchmark } from "./benchmark.ts";
import { medianSeconds } from "./median-seconds.ts";

const ROUNDS = 15;

export const startup: Benchmark = {
  name: "startup",
  description: "`./wf --help` against a Node that does nothing",
  async run() {
    const help = [join(REPOSITORY, "wf"), "--help"] as const;
    const [value = Number.NaN, referenceValue = Number.NaN] = medianSeconds([help, ["node", "-e", "0"]], ROUNDS);
    return [{ name: "startup", value, unit: "s", reference: "node -e 0", referenceValue, ratioAtMost: 2.5 }];
  },
};
