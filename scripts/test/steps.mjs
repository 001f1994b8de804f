import { rmSync } from "node:fs";
import { join } from "node:path";
import { packageScript, root } from "../package-script.mjs";
import { generatedDocsAreClean } from "./generated-docs.mjs";
import { runShown } from "./run-shown.mjs";
import { unittestCounts, vitestCounts } from "./test-counts.mjs";

/** In order of speed. Each is a script of package.json too; `measures` marks those that use GNU time. */
export const STEPS = [
  { name: "lint", title: "lint and format", run: check("lint") },
  { name: "dead", title: "dead exports and unused dependencies", run: check("dead") },
  { name: "arrows", title: "dependency arrows, doors, cycles, pure rooms", run: check("arrows") },
  { name: "types", title: "types of sources, tests and workflows", run: check("types") },
  { name: "docs", title: "generated docs are up to date", run: generatedDocsAreClean },
  { name: "launcher", title: "launcher tests", measures: true, run: runUnittest },
  { name: "unit", title: "unit tests", measures: true, run: () => runVitest("unit") },
  { name: "e2e", title: "end-to-end tests", measures: true, run: () => runVitest("e2e") },
];

function check(name) {
  return async () => ({ isPassed: (await runShown(packageScript(name))).code === 0 });
}

async function runUnittest() {
  const { code, output } = await runShown(packageScript("launcher"));
  const counts = unittestCounts(output);
  return { isPassed: code === 0 && counts.passed > 0, counts };
}

async function runVitest(project) {
  const report = join(root, `.setup/test-${project}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code } = await runShown(packageScript(project, ...reporters));
  const counts = vitestCounts(report);
  return { isPassed: code === 0 && counts.failed === 0, counts };
}
