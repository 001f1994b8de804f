import { readFileSync } from "node:fs";

export const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function showCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** From vitest's JSON report. A file that could not even be loaded is one failed test, and so is no report. */
export function vitestCounts(reportPath) {
  let report;
  try {
    report = JSON.parse(readFileSync(reportPath, "utf8"));
  } catch {
    return { ...NO_TESTS, failed: 1 };
  }
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

const UNITTEST_END = /^Ran (\d+) tests? in .*\n\n(.*)$/gm;

/** From the last lines of unittest: `Ran 12 tests in 0.5s`, `FAILED (failures=1, errors=2, skipped=3)`. */
export function unittestCounts(output) {
  const end = [...output.matchAll(UNITTEST_END)].at(-1);
  if (end === undefined) return { ...NO_TESTS, failed: 1 };
  const [, ran, verdict] = end;
  const count = (word) => Number(new RegExp(`[( ]${word}=(\\d+)`).exec(verdict)?.[1] ?? 0);
  const failed = count("failures") + count("errors") + count("unexpected successes");
  const skipped = count("skipped");
  return { passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped };
}

/** From the last line of pytest: `2 failed, 110 passed, 1 skipped, 1 error in 9.21s`. */
export function pytestCounts(output) {
  const end = [...output.matchAll(/^.*\d+ \w+.* in [\d.:]+s.*$/gm)].at(-1)?.[0];
  if (end === undefined) return { ...NO_TESTS, failed: 1 };
  const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(end)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed") + count("error"), skipped: count("skipped") };
}
