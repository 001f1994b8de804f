/**
 * `node scripts/search-quality.mjs [--python PROGRAM]… [--seeds N]`: our samplers against those of the Optuna that each
 * Python has; the promise is about the first. It writes docs/search-quality.md with its pictures, and exits with 1 if
 * the promise is broken.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chartOf, type Panel } from "./chart.ts";
import { type Comparison, compareAreas, compareRegrets } from "./comparison.ts";
import { doubleContenders, singleContenders } from "./contender.ts";
import { spreadsOf } from "./curve.ts";
import { finalMedians, LEAST_AREA_RATIO, MOST_REGRET_RATIO, pageOf } from "./page.ts";
import { startPeer } from "./python-peer.ts";

const { values: options } = parseArgs({
  options: {
    python: { type: "string", multiple: true, default: ["python3"] },
    seeds: { type: "string", default: "20" },
  },
});
const seeds = Number(options.seeds);
const say = (text: string) => process.stderr.write(`${text}\n`);

const peers = await Promise.all(options.python.map(startPeer));
for (const { optuna, python, numpy } of peers) say(`Optuna ${optuna}, Python ${python}, numpy ${numpy}`);
const regrets = await compareRegrets(singleContenders(peers), seeds, say);
const areas = await compareAreas(doubleContenders(peers), seeds, say);
await Promise.all(peers.map((peer) => peer.close()));

const docs = (name: string) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));
writeFileSync(docs("search-quality.md"), pageOf(regrets, areas, { seeds, peers }));
const names = regrets[0]?.results.map(({ name }) => name) ?? [];
writeFileSync(docs("images/search-quality.svg"), chartOf(regrets.map(panelOf(true)), "regret over trials", names));
writeFileSync(
  docs("images/search-quality-fronts.svg"),
  chartOf(areas.map(panelOf(false)), "dominated area over trials", names),
);

const broken = [
  ...regrets.filter((comparison) => ratioOf(comparison) > MOST_REGRET_RATIO),
  ...areas.filter((comparison) => ratioOf(comparison) < LEAST_AREA_RATIO),
];
for (const comparison of [...regrets, ...areas])
  console.log(`${comparison.problem.name.padEnd(18)} ${ratioOf(comparison).toFixed(2)} times Optuna`);
if (broken.length > 0) {
  console.error(`the promise is broken on ${broken.map(({ problem }) => problem.name).join(", ")}`);
  process.exit(1);
}

function ratioOf(comparison: Comparison): number {
  const [ours, theirs] = finalMedians(comparison) as [number, number];
  return ours / theirs;
}

function panelOf(isLog: boolean) {
  return ({ problem, results }: Comparison): Panel => ({
    title: problem.title,
    lines: results.map(({ name, curves }) => ({ name, spreads: spreadsOf(curves) })),
    isLog,
  });
}
