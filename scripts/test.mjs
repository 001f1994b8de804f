/**
 * Everything that has to hold, from the quickest check to the slowest: `npm test`, or some of it by
 * name: `node scripts/test.mjs lint unit`. Every step runs, whatever became of those before it.
 */

import { setUpOrExit } from "./setup/set-up.mjs";
import { ensureNeeds, needsAnything } from "./test/needs.mjs";
import { showLine } from "./test/run-shown.mjs";
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
const unmet = ensureNeeds(steps);

const AT_ONCE = 2;
const waiting = [...steps];
const results = [];
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
results.sort((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));

/** Most tests wait for processes most of the time, so two steps side by side use two cores better than one does. */
async function runWaiting() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    if (needsAnything(step)) await unmet;
    showLine(step.name, `── ${step.title}`);
    const start = performance.now();
    const { isPassed, counts = NO_TESTS, skipped = [] } = await step.run(step.name);
    const seconds = (performance.now() - start) / 1000;
    showLine(step.name, `── ${isPassed ? "passed" : "FAILED"} after ${seconds.toFixed(1)} s`);
    results.push({ step, isPassed, counts, seconds, skipped });
  }
}

console.log(`\n── summary ${"─".repeat(66)}`);
for (const { step, isPassed, counts, seconds } of results) {
  const tests = counts === NO_TESTS ? "" : showCounts(counts);
  console.log(
    `${step.name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${(isPassed ? "passed" : "FAILED").padEnd(8)} ${tests}`.trimEnd(),
  );
}
const skipped = new Set([...(await unmet), ...results.flatMap((result) => result.skipped)]);
for (const what of skipped) console.log(`SKIPPED: ${what}`);
console.log(showCounts(results.map((result) => result.counts).reduce(addCounts, NO_TESTS)));
process.exit(results.every((result) => result.isPassed) ? 0 : 1);
