import type { RunsOptions } from "../command-options.ts";

export async function runs(_options: RunsOptions): Promise<number> {
  throw new Error("not written yet");
}
