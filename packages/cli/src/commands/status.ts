import type { StatusOptions } from "../command-options.ts";

export async function status(_run: string | undefined, _options: StatusOptions): Promise<number> {
  throw new Error("not written yet");
}
