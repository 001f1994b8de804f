import { type PlanRequest, planStages, type StagePlan } from "@wf/planner";
import { LOCAL_SITE, type NamedSite } from "@wf/site";
import type { RunSite } from "./run-settings.ts";

interface ForSite extends Pick<PlanRequest, "graph" | "code" | "wishes" | "bundleHash"> {
  readonly siteName: string;
  readonly site: RunSite;
}

/**
 * Plans for a site as a run keeps it. Law: a run is planned the same when it starts and whenever it is resumed, since
 * both go by what the store keeps of its site.
 */
export function planForSite({ siteName, site, ...request }: ForSite): StagePlan {
  return planStages({ ...request, capacity: site.capacity, site: namedSite(siteName, site) });
}

function namedSite(name: string, { capacity: _, ...settings }: RunSite): NamedSite {
  return { ...LOCAL_SITE, ...settings, name };
}
