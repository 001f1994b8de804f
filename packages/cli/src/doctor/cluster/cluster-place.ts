import type { SiteLauncher } from "@wf/launcher";
import type { HtcondorSettings, NamedSite, SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import type { Check } from "../diagnosis.ts";

/** What the checks of a cluster look at. */
export interface ClusterPlace {
  readonly site: NamedSite;
  /** An absolute path there. */
  readonly storage: string;
  readonly python: string;
  readonly transport: Transport;
  readonly signal: AbortSignal;
}

export type SlurmPlace = ClusterPlace & { readonly slurm: SlurmSettings };
export type PoolPlace = ClusterPlace & { readonly htcondor: HtcondorSettings };

/** What there is to check of a scheduler. */
export interface SchedulerChecks {
  /** Whether it answers. */
  readonly answers: Check;
  /** None where it does not answer: that is said once. */
  readonly more: Promise<readonly Check[]>;
  /** Lines of setup run as in a job. */
  setup(launcher: SiteLauncher): readonly Check[];
  job(): Check;
}

/** Where in sites.yaml a setting of the site stands. */
export function settingOf({ site }: Pick<ClusterPlace, "site">, path: string): string {
  return `sites.${site.name}.${path} in sites.yaml`;
}
