/**
 * Where a run happens, as `sites.yaml` says it.
 *
 * ```ts
 * const sites = parseSites("sites: { big: { resources: { cpus: 16 } } }", "sites.yaml");
 * findSite(sites, "big").resources.cpus; // 16
 * ```
 */
export { addSite } from "./add-site.ts";
export { HtcondorSettings } from "./htcondor-settings.ts";
export { longestTimeSeconds } from "./longest-time.ts";
export { mostMemoryBytes } from "./most-memory.ts";
export { type NewSite, siteLines } from "./new-site.ts";
export { setupLines } from "./setup-lines.ts";
export { Clustering, LOCAL_SITE, type NamedSite, Placement, Site } from "./site.ts";
export { findSite, parseSites, type SitesWorld } from "./sites-file.ts";
export { type PilotSettings, SlurmPartition, SlurmSettings } from "./slurm-settings.ts";
