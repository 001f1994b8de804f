import type { ClusterBackend } from "@wf/backend-cluster";
import { htcondorBackend, type StoreTokens } from "@wf/backend-htcondor";
import { type SlurmBackendOptions, slurmBackend } from "@wf/backend-slurm";
import { WfError } from "@wf/protocol";
import type { HtcondorSettings, Placement, SlurmSettings } from "@wf/site";

/** What decides how a cluster's jobs are started. */
export type ClusterSettings =
  | { readonly backend: "slurm"; readonly slurm: SlurmSettings }
  | { readonly backend: "htcondor"; readonly htcondor: HtcondorSettings; readonly placement: Placement };

export function clusterBackend(site: ClusterSettings, options: Omit<SlurmBackendOptions, "settings">): ClusterBackend {
  if (site.backend === "slurm") return slurmBackend({ ...options, settings: site.slurm });
  const { htcondor: settings, placement } = site;
  return htcondorBackend({ ...options, settings, placement, storeTokens: storeTokens(settings) });
}

function storeTokens({ store }: HtcondorSettings): StoreTokens {
  return {
    read: tokenIn("tokenVariable", store?.tokenVariable),
    write: tokenIn("writeTokenVariable", store?.writeTokenVariable ?? store?.tokenVariable),
  };
}

function tokenIn(setting: string, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const value = process.env[variable];
  if (value !== undefined) return value;
  throw new WfError("WF_SITE_INVALID", `The store of the site wants a token, and ${variable} is not set.`, {
    where: `htcondor.store.${setting}`,
    hint: `type: export ${variable}=…`,
  });
}
