import type { ResumeOptions } from "../command-options.ts";

export async function resume(_run: string | undefined, _options: ResumeOptions): Promise<number> {
  throw new Error("not written yet");
}
