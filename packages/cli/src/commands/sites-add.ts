import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { shellQuote, WfError } from "@wf/protocol";
import { findProject, knownSites, openTransport, readSmallFile } from "@wf/run";
import { addSite, type NewSite, parseSites, siteLines } from "@wf/site";
import { writeDocument } from "@wf/transport";
import type { SitesOptions } from "../command-options.ts";
import { printJson, printLines, screenOf } from "../screen.ts";
import { findCluster } from "../sites/found-cluster.ts";

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
    const { site, document, show } = await findCluster(
      { name, host, sshConfig },
      transport,
      AbortSignal.timeout(TIMEOUT_MS),
    );
    const text = addSite(existsSync(file) ? readSmallFile(file) : "", file, site);
    // What is written can be read.
    parseSites(text, file, { env: process.env, readFile: readSmallFile });
    if (options.dryRun !== true) replaceFile(file, text);
    if (options.json === true) {
      const isWritten = options.dryRun !== true;
      printJson(screen, {
        type: "site.added",
        name,
        file,
        isWritten,
        site: site.settings,
        found: document,
      });
      return 0;
    }
    printLines(screen, show(screen.columns, screen.colours));
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

/** The file is whole at every moment. */
function replaceFile(file: string, text: string): void {
  try {
    writeDocument(file, text);
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
