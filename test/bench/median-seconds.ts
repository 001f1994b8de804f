import { spawnSync } from "node:child_process";

/**
 * The median wall time of each command. The commands take turns, so that what else the machine does
 * meets all of them alike; a first round that is not counted fills the caches.
 */
export function medianSeconds(commands: readonly (readonly [string, ...string[]])[], rounds: number): number[] {
  const seconds: number[][] = commands.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, command] of commands.entries()) {
      const taken = runSeconds(command);
      if (round > 0) seconds[index]?.push(taken);
    }
  }
  return seconds.map(median);
}

function runSeconds([program, ...args]: readonly [string, ...string[]]): number {
  const start = performance.now();
  const { status, error, stderr } = spawnSync(program, args, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stderr}`);
  return seconds;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("no values to take the median of");
  return middle;
}
