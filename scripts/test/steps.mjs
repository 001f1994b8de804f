import { rmSync } from "node:fs";
import { join } from "node:path";
import { packageScript, root } from "../package-script.mjs";
import { generatedDocsAreClean } from "./generated-docs.mjs";
import { findPython, WHAT_TO_TYPE } from "./python-for-tests.mjs";
import { runShown, showLine } from "./run-shown.mjs";
import { NO_TESTS, pytestCounts, unittestCounts, vitestCounts } from "./test-counts.mjs";

/**
 * In order of speed, but for the longest one, beside which all tests after it run. Each is a script of package.json too
 * and is given its name; `measures` marks those that use GNU time, `connects` those that start an ssh server, `quotes`
 * those that try every login shell, `builds` those that build Python environments, `serves` those that start a web
 * server, `learns` those that train.
 */
export const STEPS = [
  { name: "lint", title: "lint and format", run: check },
  { name: "dead", title: "dead exports and unused dependencies", run: check },
  { name: "arrows", title: "dependency arrows, doors, cycles, pure rooms", run: check },
  { name: "types", title: "types of sources, tests and workflows", run: check },
  { name: "docs", title: "generated docs are up to date", run: generatedDocsAreClean },
  { name: "cluster", title: "tests on a real SLURM cluster, brought up for them", learns: true, run: runVitest },
  { name: "pool", title: "tests on a real HTCondor pool, brought up for them", connects: true, run: runVitest },
  {
    name: "launcher",
    title: "launcher tests",
    measures: true,
    connects: true,
    builds: true,
    serves: true,
    run: runUnittest,
  },
  { name: "python", title: "tests of the workflows' Python code", learns: true, run: runPytest },
  { name: "unit", title: "unit tests", measures: true, quotes: true, run: runVitest },
  {
    name: "e2e",
    title: "end-to-end tests",
    measures: true,
    connects: true,
    builds: true,
    learns: true,
    run: runVitest,
  },
];

async function check(step) {
  return { isPassed: (await runShown(step, packageScript(step))).code === 0 };
}

async function runUnittest(step) {
  const { code, output } = await runShown(step, packageScript(step));
  const counts = unittestCounts(output);
  return { isPassed: code === 0 && counts.passed > 0, counts };
}

async function runPytest(step) {
  const python = await findPython();
  if (python === undefined) {
    showLine(step, `SKIPPED: no Python has torch, numpy, pillow and pytest. Type: ${WHAT_TO_TYPE}`);
    return { isPassed: true, counts: { ...NO_TESTS, skipped: 1 } };
  }
  const script = packageScript(step);
  const { code, output } = await runShown(step, { ...script, env: { ...script.env, WF_TEST_PYTHON: python } });
  const counts = pytestCounts(output);
  return { isPassed: code === 0 && counts.passed > 0, counts };
}

async function runVitest(step) {
  const report = join(root, `.setup/test-${step}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await runShown(step, packageScript(step, ...reporters));
  const counts = vitestCounts(report);
  return { isPassed: code === 0 && counts.failed === 0, counts, skipped: skippedIn(output) };
}

/** What tests say of themselves where they cannot run. */
function skippedIn(output) {
  return [...output.matchAll(/^SKIPPED: (.*)$/gm)].map(([, what]) => what);
}
