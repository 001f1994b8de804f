import { detectCapacity } from "@wf/backend-local";
import { WfError } from "@wf/core";
import type { NamedSite } from "@wf/site";
import type { GlobalOptions, SitesOptions } from "../command-options.ts";
import { formatBytes } from "../format/bytes.ts";
import { table } from "../format/table.ts";
import { findProject } from "../project.ts";
import { knownSites } from "../running/known-sites.ts";
import { printJson, printLines, screenOf } from "../screen.ts";

const DETECTION_TIMEOUT_MS = 10_000;

/** Lists the sites, or adds one. */
export async function sites(
  action: string | undefined,
  name: string | undefined,
  host: string | undefined,
  options: SitesOptions,
): Promise<number> {
  if (action === undefined) return await listSites(options);
  if (name === undefined) {
    throw new WfError("WF_USAGE", "a name for the new site is missing", {
      hint: "such as: wf sites add cluster ssh://me@login.example.org; on the login node itself: wf sites add cluster",
    });
  }
  const { addSiteCommand } = await import("./sites-add.ts");
  return await addSiteCommand(name, host, options);
}

async function listSites(options: GlobalOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const found = await detectCapacity(AbortSignal.timeout(DETECTION_TIMEOUT_MS));
  const known = [...knownSites(findProject(process.cwd(), options.store).root).values()].map((site) => ({
    ...site,
    resources: {
      cpus: site.resources.cpus ?? found.cpus,
      memoryBytes: site.resources.memory ?? found.memoryBytes,
      gpus: site.resources.gpus ?? found.gpus,
    },
  }));
  if (options.json === true) {
    for (const site of known) printJson(screen, { type: "site", ...site });
    return 0;
  }
  const { bold, gray } = screen.colours;
  const rows = known.map(({ name, backend, resources, clustering, placement }) => [
    { text: name, paint: bold },
    backend,
    String(resources.cpus),
    formatBytes(resources.memoryBytes),
    String(resources.gpus),
    showClustering(clustering),
    placement,
  ]);
  const columns = [
    { title: "site" },
    { title: "backend" },
    { title: "cpus", align: "right" },
    { title: "memory", align: "right" },
    { title: "gpus", align: "right" },
    { title: "tasks share jobs" },
    { title: "data" },
  ] as const;
  printLines(screen, table(columns, rows, { width: screen.columns, titlePaint: gray }));
  return 0;
}

function showClustering({ strategy, tasksPerJob }: NamedSite["clustering"]): string {
  return strategy === "none" ? "no" : `${strategy}, up to ${tasksPerJob}`;
}
