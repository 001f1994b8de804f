import { parseArgs } from "node:util";
import { PLACES, type PlaceName } from "./place.ts";

export interface TortureOptions {
  readonly site: PlaceName;
  readonly seed: number;
  /** It ends with the round in which either is reached. */
  readonly seconds: number;
  readonly kills: number;
  /** A file with the one round to run. */
  readonly round: string | undefined;
}

export const USAGE = `usage: pnpm torture [--seconds N] [--kills N] [--site ${PLACES.join("|")}] [--seed N] [--round FILE]

  --seconds N    stop after the round in which N seconds have passed (default: 60, or none with --kills)
  --kills N      stop after the round in which N processes were killed
  --site NAME    where workflows run; slurm and htcondor are brought up, as root on Debian (default: local)
  --seed N       the same rounds again
  --round FILE   a single round, as a failure has written it
`;

const SEEDS = 2_147_483_648;
const DEFAULT_SECONDS = 60;

/** Throws what is wrong with the arguments. */
export function parseOptions(args: readonly string[]): TortureOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== "--"),
    options: { seconds: text, kills: text, site: text, seed: text, round: text },
  });
  const site = values.site ?? "local";
  if (!PLACES.some((name) => name === site)) throw new Error(`--site is ${site}, and not one of ${PLACES.join(", ")}`);
  const number = (name: "seconds" | "kills" | "seed", otherwise: number): number => {
    const value = values[name];
    if (value === undefined) return otherwise;
    if (!/^\d+$/.test(value)) throw new Error(`--${name} is ${JSON.stringify(value)}, which is no whole number`);
    return Number(value);
  };
  return {
    site: site as PlaceName,
    seed: number("seed", Math.floor(Math.random() * SEEDS)) % SEEDS,
    seconds: number("seconds", values.kills === undefined ? DEFAULT_SECONDS : Number.POSITIVE_INFINITY),
    kills: number("kills", Number.POSITIVE_INFINITY),
    round: values.round,
  };
}
