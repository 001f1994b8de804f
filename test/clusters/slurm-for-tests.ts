import type { TestProject } from "vitest/node";
import { type ClustersForTests, newClustersForTests, stopClusters } from "./clusters-for-tests.ts";
import { stopSlurm, whyNoSlurm, wipeAbandonedSlurm } from "./slurm-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Null where there can be no cluster: tests that need one are skipped. */
    slurm: ClustersForTests | null;
  }
}

/** Clusters come up when a test file wants one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const why = whyNoSlurm();
  if (why !== undefined) {
    console.warn(`SKIPPED: tests on a real SLURM cluster: ${why}. Type: npm test, as root on Debian`);
    project.provide("slurm", null);
    return async () => undefined;
  }
  await wipeAbandonedSlurm();
  const clusters = newClustersForTests();
  project.provide("slurm", clusters);
  return () => stopClusters(clusters, stopSlurm);
}
