import type { ClusterBackend } from "@wf/backend-cluster";
import { htcondorBackend } from "@wf/backend-htcondor";
import { type SlurmBackendOptions, slurmBackend } from "@wf/backend-slurm";
import { WfError } from "@wf/core";
import type { HtcondorSettings, Placement, SlurmSettings } from "@wf/site";

/** What decides how a cluster's jobs are started. */
export type ClusterSettings =
  | { readonly backend: "slurm"; readonly slurm: SlurmSettings }
  | { readonly backend: "htcondor"; readonly htcondor: HtcondorSettings; readonly placement: Placement };

export function clusterBackend(site: ClusterSettings, options: Omit<SlurmBackendOptions, "settings">): ClusterBackend {
  if (site.backend === "slurm") return slurmBackend({ ...options, settings: site.slurm });
  const { htcondor: settings, placement } = site;
  return htcondorBackend({ ...options, settings, placement, storeToken: storeToken(settings) });
}

function storeToken({ store }: HtcondorSettings): string | undefined {
  if (store?.tokenVariable === undefined) return undefined;
  const value = process.env[store.tokenVariable];
  if (value === undefined) {
    throw new WfError(
      "WF_SITE_INVALID",
      `The store of the site wants a token, and ${store.tokenVariable} is not set.`,
      {
        where: "htcondor.store.tokenVariable",
        hint: `type: export ${store.tokenVariable}=…`,
      },
    );
  }
  return value;
}
