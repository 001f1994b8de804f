import type { Resources } from "@wf/core";
import { longestTimeSeconds, type NamedSite } from "@wf/site";

/**
 * Says where the tasks of a job, which run one after another, may take longer than the site lets a job run. Those that
 * have no time limit are left out: nobody knows.
 */
export function warnOfJobTime(stage: string, resources: Resources, tasksPerJob: number, site: NamedSite): string[] {
  const { timeLimitSeconds } = resources;
  const longest = longestTimeSeconds(site, resources);
  if (timeLimitSeconds === null || longest === null || tasksPerJob * timeLimitSeconds <= longest) return [];
  const asked = `${stage} asks for ${timeLimitSeconds} s a task`;
  const limit = `a job of the site may take ${longest} s`;
  if (timeLimitSeconds > longest) return [`${asked}, and ${limit}`];
  const fitting = Math.floor(longest / timeLimitSeconds);
  const needed = tasksPerJob * timeLimitSeconds;
  return [
    `${asked}, and with ${tasksPerJob} tasks a job up to ${needed} s one after another, but ${limit}: put at most ${fitting} into a job (clustering.stages.${stage} in sites.yaml)`,
  ];
}
