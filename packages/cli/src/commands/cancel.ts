import type { CancelOptions } from "../command-options.ts";

export async function cancel(_run: string | undefined, _options: CancelOptions): Promise<number> {
  throw new Error("not written yet");
}
