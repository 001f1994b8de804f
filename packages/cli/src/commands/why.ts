import type { GlobalOptions } from "../command-options.ts";

export async function why(_run: string | undefined, _task: string, _options: GlobalOptions): Promise<number> {
  throw new Error("not written yet");
}
