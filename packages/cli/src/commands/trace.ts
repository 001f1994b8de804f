import type { TraceOptions } from "../command-options.ts";

export async function trace(_run: string | undefined, _options: TraceOptions): Promise<number> {
  throw new Error("not written yet");
}
