import type { TestProject } from "vitest/node";
import { type ClustersForTests, newClustersForTests, stopClusters } from "./clusters-for-tests.ts";
import { stopCondor, whyNoCondor, wipeAbandonedCondor } from "./condor-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Null where there can be no pool: tests that need one are skipped. */
    condor: ClustersForTests | null;
  }
}

/** Pools come up when a test file wants one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const why = whyNoCondor();
  if (why !== undefined) {
    console.warn(`SKIPPED: tests on a real HTCondor pool: ${why}. Type: npm test, as root on Debian`);
    project.provide("condor", null);
    return async () => undefined;
  }
  await wipeAbandonedCondor();
  const pools = newClustersForTests();
  project.provide("condor", pools);
  return () => stopClusters(pools, stopCondor);
}
