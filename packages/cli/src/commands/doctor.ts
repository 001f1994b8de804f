import { createLocalPreparer } from "@wf/launcher";
import { EXIT, type RuntimeWish, WfError } from "@wf/protocol";
import { findProject, type Project, siteFor } from "@wf/run";
import type { NamedSite } from "@wf/site";
import type { DoctorOptions } from "../command-options.ts";
import { examineCluster } from "../doctor/cluster/examine-cluster.ts";
import type { Diagnosis, Health } from "../doctor/diagnosis.ts";
import { type Examined, inTurn } from "../doctor/examined.ts";
import { checkDisk, checkSqlite, checkStore } from "../doctor/place.ts";
import { checkGit, checkNode, checkSitePython, checkTaskPython } from "../doctor/programs.ts";
import { checkNeededRuntimes, checkPreparedRuntimes } from "../doctor/runtimes.ts";
import { checkLauncher, checkMachine } from "../doctor/site.ts";
import { workflowWishes } from "../doctor/workflow-wishes.ts";
import type { Colours, Paint } from "../format/colour.ts";
import { printedLine } from "../format/printable.ts";
import { printJson, printLines, screenOf } from "../screen.ts";

export async function doctor(file: string | undefined, options: DoctorOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const project = findProject(file ?? process.cwd(), options.store);
  const site = siteFor(project.root, options.site, undefined);
  const wishes = file === undefined ? null : await workflowWishes(file, project);
  if (options.job === true && site.backend === "local") {
    throw new WfError("WF_USAGE", "--job is for clusters: the site is this machine", {
      hint: "name a cluster: wf doctor --site NAME --job",
    });
  }
  let isFit = true;
  for await (const { name, diagnosis } of examine(project, site, wishes, options.job === true)) {
    isFit &&= diagnosis.health !== "fail";
    if (options.json === true) printJson(screen, { type: "doctor.check", name, ...diagnosis });
    else printLines(screen, showDiagnosis(name, diagnosis, screen.colours));
  }
  if (options.json === true) printJson(screen, { type: "doctor.finished", site: site.name, ok: isFit });
  return isFit ? EXIT.ok : EXIT.environment;
}

/** This machine first: without it nothing works anywhere. */
async function* examine(
  { storeFolder }: Project,
  site: NamedSite,
  wishes: readonly RuntimeWish[] | null,
  withJob: boolean,
): AsyncGenerator<Examined> {
  const here = [checkStore(storeFolder), checkDisk(storeFolder), checkGit()];
  if (site.backend !== "local") {
    yield* inTurn([checkNode(), checkSqlite(), ...here]);
    yield* examineCluster({ site, wishes, withJob });
    return;
  }
  const preparer = createLocalPreparer({ storage: storeFolder, python: site.python });
  yield* inTurn([
    checkNode(),
    checkSqlite(),
    checkSitePython(site, process.env.PATH ?? ""),
    checkTaskPython(site, process.env.PATH ?? ""),
    ...(wishes === null ? checkPreparedRuntimes(storeFolder) : checkNeededRuntimes(wishes, preparer)),
    checkLauncher(site),
    checkMachine(site),
    ...here,
  ]);
}

function showDiagnosis(name: string, { health, says, next }: Diagnosis, colours: Colours): string[] {
  const paints: Readonly<Record<Health, Paint>> = { ok: colours.green, warn: colours.yellow, fail: colours.red };
  const indent = " ".repeat(16);
  const [first = "", ...rest] = printedLines(says);
  const [step, ...steps] = next === undefined ? [] : printedLines(next);
  return [
    `${paints[health](health.padEnd(4))}  ${name.padEnd(9)} ${first}`,
    ...rest.map((line) => `${indent} ${line}`),
    ...(step === undefined ? [] : [`${indent} ${colours.dim("next:")} ${step}`]),
    ...steps.map((line) => `${indent}       ${line}`),
  ];
}

function printedLines(text: string): readonly string[] {
  return text.split("\n").map(printedLine);
}
