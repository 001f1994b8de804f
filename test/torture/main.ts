/** `pnpm torture`: exits with 1 if a law is broken, with 2 on wrong arguments. */
import { readFileSync } from "node:fs";
import { killStarted } from "../e2e/project.ts";
import { condorPlace } from "./condor-place.ts";
import { localPlace } from "./local-place.ts";
import { parseOptions, type TortureOptions, USAGE } from "./options.ts";
import type { Place, PlaceName } from "./place.ts";
import type { Round } from "./round.ts";
import { slurmPlace } from "./slurm-place.ts";
import { repeatRound, torture } from "./torture.ts";
import { turnedClock } from "./turned-clock.ts";

function optionsOrExit(): TortureOptions {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

type OpenPlace = (means: { readonly hasClock: boolean }) => Place | Promise<Place>;
const OPEN: Readonly<Record<PlaceName, OpenPlace>> = { local: localPlace, slurm: slurmPlace, htcondor: condorPlace };

const SHRINKING_ROUNDS = 60;

const options = optionsOrExit();
const clock = turnedClock();
if (clock === undefined) console.log("SKIPPED: turning clocks, which needs a C compiler (cc) on Linux");
const place = await OPEN[options.site]({ hasClock: clock !== undefined });
process.on("exit", killStarted);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const settings = {
  ...options,
  place,
  clock,
  shrinkingRounds: SHRINKING_ROUNDS,
  say: (line: string) => console.log(line),
};
console.log(`seed ${options.seed} on ${place.name}`);
try {
  const round = options.round;
  const tally =
    round === undefined
      ? await torture(settings)
      : await repeatRound(JSON.parse(readFileSync(round, "utf8")) as Round, settings);
  process.exitCode = tally.violations === 0 ? 0 : 1;
} finally {
  await place.close();
  clock?.close();
}
