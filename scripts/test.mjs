/**
 * Everything that has to hold, from the quickest check to the slowest: `npm test`, or some of it by
 * name: `node scripts/test.mjs lint unit`. Every step runs, whatever became of those before it.
 */

import { setUpOrExit } from "./setup/set-up.mjs";
import { ensureGnuTime } from "./test/gnu-time.mjs";
import { STEPS } from "./test/steps.mjs";
import { addCounts, NO_TESTS, showCounts } from "./test/test-counts.mjs";

const names = process.argv.slice(2);
const unknown = names.filter((name) => STEPS.every((step) => step.name !== name));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(", ")}\nsteps: ${STEPS.map((step) => step.name).join(", ")}`);
  process.exit(2);
}

await setUpOrExit();
const steps = STEPS.filter((step) => names.length === 0 || names.includes(step.name));
if (steps.some((step) => step.measures)) await ensureGnuTime();

const results = [];
for (const { name, title, run } of steps) {
  console.log(`\n── ${name}: ${title} ${"─".repeat(Math.max(2, 70 - name.length - title.length))}`);
  const start = performance.now();
  const { isPassed, counts = NO_TESTS } = await run();
  results.push({ name, isPassed, counts, seconds: (performance.now() - start) / 1000 });
}

console.log(`\n── summary ${"─".repeat(66)}`);
for (const { name, isPassed, counts, seconds } of results) {
  const tests = counts === NO_TESTS ? "" : showCounts(counts);
  console.log(
    `${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${(isPassed ? "passed" : "FAILED").padEnd(8)} ${tests}`.trimEnd(),
  );
}
console.log(showCounts(results.map((result) => result.counts).reduce(addCounts, NO_TESTS)));
process.exit(results.every((result) => result.isPassed) ? 0 : 1);
