import type { NamedSite, SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";

/** What the checks of a cluster look at. */
export interface ClusterPlace {
  readonly site: NamedSite;
  readonly slurm: SlurmSettings;
  /** An absolute path there. */
  readonly storage: string;
  readonly python: string;
  readonly transport: Transport;
  readonly signal: AbortSignal;
}

/** Where in sites.yaml a setting of the site stands. */
export function settingOf({ site }: Pick<ClusterPlace, "site">, path: string): string {
  return `sites.${site.name}.${path} in sites.yaml`;
}
