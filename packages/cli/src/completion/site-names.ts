import { knownSites } from "@wf/run";
import type { Candidate } from "./candidates.ts";

/** The sites of a project; none where its sites.yaml is wrong. */
export function siteNames(projectRoot: string): Candidate[] {
  try {
    return [...knownSites(projectRoot).values()].map(({ name, backend }) => ({ word: name, meaning: backend }));
  } catch {
    return [];
  }
}
