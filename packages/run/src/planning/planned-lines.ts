import { createLocalPreparer } from "@wf/launcher";
import { type PlanLine, planLines } from "@wf/planner";
import type { Ask } from "@wf/transport";
import { contentThere } from "../sites/content-there.ts";
import { ForeseenRuntimes } from "./foreseen-runtimes.ts";
import type { IsKept } from "./known-results.ts";
import { planHeader } from "./plan-file.ts";
import { type Preparation, planRequest } from "./preparation.ts";

export interface PlannedLinesOptions {
  /** False: every task runs, whatever earlier runs have made. */
  readonly cache: boolean;
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

/** A plan as a document, line by line: the header first, the totals last. */
export async function* plannedLines(
  prepared: Preparation,
  { cache, ask, signal }: PlannedLinesOptions,
): AsyncGenerator<PlanLine> {
  const { store, objects, site, plan } = prepared;
  const talk = { note: () => undefined, ask };
  const content = store.hasNoResults ? null : await contentThere(site, objects, talk, signal);
  const isKept: IsKept = (hash, size) => objects.isIntact(hash, size) || content?.has(hash, size) === true;
  store.holdStill();
  yield planHeader(prepared);
  const runtimes =
    site.backend === "local"
      ? new ForeseenRuntimes(plan.stages, createLocalPreparer({ storage: store.folder, python: site.python }))
      : undefined;
  for (const line of planLines(planRequest(prepared, cache, isKept))) {
    yield runtimes && line.type === "stage" ? await runtimes.warn(line, signal) : line;
  }
}
