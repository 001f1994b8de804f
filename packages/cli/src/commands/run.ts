import type { RunOptions } from "../command-options.ts";

export async function run(_file: string, _options: RunOptions): Promise<number> {
  throw new Error("not written yet");
}
