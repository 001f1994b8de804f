import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { trySubmissions } from "@wf/backend-slurm";
import { shellQuote, WfError } from "@wf/core";
import { addSite, type NewSite, parseSites, SlurmPartition, SlurmSettings, siteLines } from "@wf/site";
import type { Transport } from "@wf/transport";
import type { SitesOptions } from "../command-options.ts";
import { printedLine } from "../format/printable.ts";
import { findProject } from "../project.ts";
import { knownSites } from "../running/known-sites.ts";
import { printJson, printLines, screenOf } from "../screen.ts";
import { type DraftPartition, draftPartitions } from "../sites/draft-partitions.ts";
import { draftSite, ownAccount } from "../sites/draft-site.ts";
import { openTransport } from "../sites/open-transport.ts";
import { showSurvey, surveyDocument } from "../sites/show-survey.ts";
import { PROFILE, type SiteSurvey, surveySite } from "../sites/survey-site.ts";

const TIMEOUT_MS = 120_000;

/** Looks at a cluster, and writes what it found into `sites.yaml`. */
export async function addSiteCommand(name: string, host: string | undefined, options: SitesOptions): Promise<number> {
  const { root } = findProject(process.cwd(), options.store);
  const file = join(root, "sites.yaml");
  checkName(name, root, file, options.replace === true);
  const screen = screenOf(process.stdout, options);
  const sshConfig = options.sshConfig === undefined ? undefined : resolve(options.sshConfig);
  const transport = openTransport({ host, sshConfig });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const survey = await surveySite(transport, signal);
    const partitions = draftPartitions(survey.slurm);
    const refused = await refusals(transport, survey, partitions, signal);
    const found = { place: host ?? "this machine", survey, partitions, refused };
    const site = draftSite({ name, host, sshConfig, survey, partitions, refused });
    const text = addSite(existsSync(file) ? readFileSync(file, "utf8") : "", file, site);
    // What is written can be read.
    parseSites(text, file, { env: process.env, readFile: (path) => readFileSync(path, "utf8") });
    if (options.dryRun !== true) replaceFile(file, text);
    if (options.json === true) {
      const isWritten = options.dryRun !== true;
      printJson(screen, {
        type: "site.added",
        name,
        file,
        isWritten,
        site: site.settings,
        found: surveyDocument(found),
      });
      return 0;
    }
    printLines(screen, showSurvey(found, screen.columns, screen.colours));
    printLines(screen, ["", ...ending(site, file, options.dryRun === true, screen.colours.bold, screen.colours.green)]);
    return 0;
  } finally {
    await transport.close();
  }
}

function checkName(name: string, root: string, file: string, mayReplace: boolean): void {
  if (!/^[A-Za-z][\w-]*$/.test(name) || name === "local") {
    throw new WfError("WF_USAGE", `${JSON.stringify(name)} cannot be the name of a cluster`, {
      hint: "choose a word of letters, digits, - and _, such as: wf sites add cluster ssh://me@login.example.org",
    });
  }
  if (knownSites(root).has(name) && !mayReplace) {
    throw new WfError("WF_USAGE", `there is a site ${name} already`, {
      where: file,
      hint: "choose another name, or add --replace",
    });
  }
}

/** Why partitions would not take a job of this user. One that SLURM says nothing about counts as usable. */
async function refusals(
  transport: Transport,
  survey: SiteSurvey,
  partitions: readonly DraftPartition[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const account = ownAccount(survey);
  const settings = SlurmSettings.parse(account === null ? {} : { account });
  const tried = partitions.map((partition) => SlurmPartition.parse(partition.settings));
  const answers = await trySubmissions(transport, settings, tried, signal, survey.needsProfile ? PROFILE : "");
  const refused = new Map<string, string>();
  for (const [partition, answer] of answers) {
    if (partition !== null && answer.type === "refused") refused.set(partition.name, printedLine(answer.words));
  }
  return refused;
}

/** The file is whole at every moment. */
function replaceFile(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (cause) {
    throw new WfError("WF_USAGE", `sites.yaml cannot be written: ${(cause as Error).message}`, {
      where: file,
      hint: "see what would stand there with --dry-run",
      cause,
    });
  }
}

function ending(
  site: NewSite,
  file: string,
  isDryRun: boolean,
  bold: (text: string) => string,
  green: (text: string) => string,
): readonly string[] {
  const block = siteLines(site).map((line) => `  ${line}`);
  if (isDryRun) return [`This would be added to ${file}:`, "", ...block];
  return [
    `${green("ok")} added to ${file}:`,
    "",
    ...block,
    "",
    "Type next:",
    `  ${bold(`wf doctor --site ${shellQuote(site.name)}`)}`,
    `  ${bold(`wf run workflow.ts --site ${shellQuote(site.name)}`)}`,
  ];
}
