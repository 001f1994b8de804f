import type { GlobalOptions } from "../command-options.ts";

export async function show(_run: string | undefined, _task: string | undefined, _options: GlobalOptions): Promise<number> {
  throw new Error("not written yet");
}
