import { WfError } from "@wf/protocol";
import { capacityOf, findProject, knownSites } from "@wf/run";
import type { NamedSite } from "@wf/site";
import type { GlobalOptions, SitesOptions } from "../command-options.ts";
import { formatBytes } from "../format/bytes.ts";
import { table } from "../format/table.ts";
import { printJson, printLines, screenOf } from "../screen.ts";

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
  const known = await Promise.all(
    [...knownSites(findProject(process.cwd(), options.store).root).values()].map(async (site) => ({
      ...site,
      resources: await capacityOf(site),
    })),
  );
  if (options.json === true) {
    for (const site of known) printJson(screen, { type: "site", ...site });
    return 0;
  }
  const { bold, gray } = screen.colours;
  const rows = known.map(({ name, backend, host, resources, clustering, placement }) => [
    { text: name, paint: bold },
    backend,
    host ?? "here",
    resources === null ? "" : String(resources.cpus),
    resources === null ? "" : formatBytes(resources.memoryBytes),
    resources === null ? "" : String(resources.gpus),
    showClustering(clustering),
    placement,
  ]);
  const columns = [
    { title: "site" },
    { title: "backend" },
    { title: "where", minWidth: 8 },
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
