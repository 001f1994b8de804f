import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WfError } from "@wf/core";
import { findSite, type NamedSite, parseSites } from "@wf/site";

/** The sites of a project: what its `sites.yaml` says, and this machine as `local`. */
export function knownSites(projectRoot: string): ReadonlyMap<string, NamedSite> {
  const file = join(projectRoot, "sites.yaml");
  return parseSites(readIfThere(file), file);
}

export function siteFor(projectRoot: string, name: string | undefined, cluster: number | undefined): NamedSite {
  const site = findSite(knownSites(projectRoot), name ?? "local");
  if (cluster === undefined) return site;
  return { ...site, clustering: { strategy: cluster > 1 ? "horizontal" : "none", tasksPerJob: cluster, stages: {} } };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new WfError("WF_SITE_INVALID", `sites.yaml cannot be read: ${(cause as Error).message}`, {
      where: file,
      cause,
    });
  }
}
