import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../repository.ts";

/** Processes a second of the reference loop, which keeps `inFlight` of `true` going; default: one a core. */
export async function measureReferenceRate(count = 5000, inFlight?: number, ...command: string[]): Promise<number> {
  const loop = join(REPOSITORY, "test/bench/reference-loop.py");
  const how = [String(count), ...(inFlight === undefined ? [] : [String(inFlight), ...command])];
  const { stdout } = await promisify(execFile)("python3", [loop, ...how]);
  return Number(stdout);
}
