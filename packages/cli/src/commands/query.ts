import type { QueryOptions } from "../command-options.ts";

export async function query(_sql: string, _options: QueryOptions): Promise<number> {
  throw new Error("not written yet");
}
