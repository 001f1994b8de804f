import type { PlanOptions } from "../command-options.ts";

export async function plan(_file: string, _options: PlanOptions): Promise<number> {
  throw new Error("not written yet");
}
