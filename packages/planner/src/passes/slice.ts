import type { Resources, TaskNode } from "@wf/core";
import { longestTimeSeconds, type NamedSite } from "@wf/site";

/** For starting, staging, a task's grace and the checkpoint itself: never more than a quarter of the time. */
const OVERHEAD_SECONDS = 120;

/**
 * How long a resumable task runs before it is told to leave a checkpoint: as long as it asks for, but no longer than a
 * job of the site. What cannot go on is given what it asks for: the site says whether that is too much.
 */
export function sliceOf(
  node: TaskNode,
  site: NamedSite,
): { readonly resources: Resources; readonly warnings: readonly string[] } {
  const { resources } = node;
  const longest = node.declaration.resumable === undefined ? null : longestTimeSeconds(site, resources);
  if (longest === null) return { resources, warnings: [] };
  const most = Math.floor(longest - Math.min(OVERHEAD_SECONDS, longest / 4));
  const asked = resources.timeLimitSeconds;
  if (asked !== null && asked <= most) return { resources, warnings: [] };
  return {
    resources: { ...resources, timeLimitSeconds: most },
    warnings: [`${node.id} runs in slices of ${most} s: a job of the site may take ${longest} s`],
  };
}
