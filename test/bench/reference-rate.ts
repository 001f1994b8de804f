import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "./repository.ts";

/** Processes a second of the reference loop, which keeps as many `true` in flight as there are cores. */
export async function measureReferenceRate(count = 5000): Promise<number> {
  const loop = join(REPOSITORY, "test/bench/reference-loop.py");
  const { stdout } = await promisify(execFile)("python3", [loop, String(count)]);
  return Number(stdout);
}
