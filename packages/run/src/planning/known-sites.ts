import { join } from "node:path";
import { WfError } from "@wf/protocol";
import { type Clustering, findSite, type NamedSite, parseSites } from "@wf/site";
import { readSmallFile } from "../inputs/small-file.ts";

/** The sites of a project: what its `sites.yaml` says, and this machine as `local`. */
export function knownSites(projectRoot: string): ReadonlyMap<string, NamedSite> {
  const file = join(projectRoot, "sites.yaml");
  return parseSites(readIfThere(file), file, { env: process.env, readFile: readSmallFile });
}

export function siteFor(projectRoot: string, name: string | undefined, clustering: Clustering | undefined): NamedSite {
  const site = findSite(knownSites(projectRoot), name ?? "local");
  return clustering === undefined ? site : { ...site, clustering };
}

/** What `--cluster N` asks for. */
export function clusteringOf(tasksPerJob: number | undefined): Clustering | undefined {
  if (tasksPerJob === undefined) return undefined;
  return { strategy: tasksPerJob > 1 ? "horizontal" : "none", tasksPerJob, stages: {} };
}

function readIfThere(file: string): string {
  try {
    return readSmallFile(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new WfError("WF_SITE_INVALID", `sites.yaml cannot be read: ${(cause as Error).message}`, {
      where: file,
      cause,
    });
  }
}
