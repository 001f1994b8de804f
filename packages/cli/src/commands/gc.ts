import type { GcOptions } from "../command-options.ts";

export async function gc(_options: GcOptions): Promise<number> {
  throw new Error("not written yet");
}
