import type { LogsOptions } from "../command-options.ts";

export async function logs(_run: string | undefined, _task: string, _options: LogsOptions): Promise<number> {
  throw new Error("not written yet");
}
