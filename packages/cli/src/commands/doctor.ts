import { EXIT } from "@wf/core";
import { createLocalPreparer } from "@wf/launcher";
import type { DoctorOptions } from "../command-options.ts";
import { type Check, type Diagnosis, diagnose, type Health } from "../doctor/diagnosis.ts";
import { checkDisk, checkSqlite, checkStore } from "../doctor/place.ts";
import { checkGit, checkNode, checkSitePython, checkTaskPython } from "../doctor/programs.ts";
import { checkNeededRuntimes, checkPreparedRuntimes } from "../doctor/runtimes.ts";
import { checkLauncher, checkMachine } from "../doctor/site.ts";
import { workflowWishes } from "../doctor/workflow-wishes.ts";
import type { Colours, Paint } from "../format/colour.ts";
import { findProject } from "../project.ts";
import { siteFor } from "../running/known-sites.ts";
import { printJson, printLines, screenOf } from "../screen.ts";

export async function doctor(file: string | undefined, options: DoctorOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const project = findProject(file ?? process.cwd(), options.store);
  const { root, storeFolder } = project;
  const site = siteFor(root, options.site, undefined);
  const preparer = createLocalPreparer({ storage: storeFolder, python: site.python });
  const runtimes =
    file === undefined
      ? checkPreparedRuntimes(storeFolder)
      : checkNeededRuntimes(await workflowWishes(file, project), preparer);
  const checks: readonly Check[] = [
    checkNode(),
    checkSqlite(),
    checkSitePython(site, process.env.PATH ?? ""),
    checkTaskPython(site, process.env.PATH ?? ""),
    ...runtimes,
    checkLauncher(site),
    checkMachine(site),
    checkStore(storeFolder),
    checkDisk(storeFolder),
    checkGit(),
  ];
  let isFit = true;
  for (const check of checks) {
    const diagnosis = await diagnose(check);
    isFit &&= diagnosis.health !== "fail";
    if (options.json === true) printJson(screen, { type: "doctor.check", name: check.name, ...diagnosis });
    else printLines(screen, showDiagnosis(check.name, diagnosis, screen.colours));
  }
  if (options.json === true) printJson(screen, { type: "doctor.finished", site: site.name, ok: isFit });
  return isFit ? EXIT.ok : EXIT.environment;
}

function showDiagnosis(name: string, { health, says, next }: Diagnosis, colours: Colours): string[] {
  const paints: Readonly<Record<Health, Paint>> = { ok: colours.green, warn: colours.yellow, fail: colours.red };
  const indent = " ".repeat(16);
  const [first, ...rest] = says.split("\n");
  const lines = [
    `${paints[health](health.padEnd(4))}  ${name.padEnd(9)} ${first}`,
    ...rest.map((line) => `${indent} ${line}`),
  ];
  return next === undefined ? lines : [...lines, `${indent} ${colours.dim("next:")} ${next}`];
}
