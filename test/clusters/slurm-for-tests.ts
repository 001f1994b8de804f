import type { TestProject } from "vitest/node";
import { type SlurmCluster, startSlurm, stopSlurm, whyNoSlurm } from "./slurm-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Null where there can be none: tests that need it are skipped. */
    slurm: SlurmCluster | null;
  }
}

/** One cluster for all tests of a run. It is brought up before them and taken down after them, whatever became of them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const why = whyNoSlurm();
  if (why !== undefined) {
    console.warn(`SKIPPED: tests on a real SLURM cluster: ${why}`);
    project.provide("slurm", null);
    return async () => undefined;
  }
  const cluster = await startSlurm();
  project.provide("slurm", cluster);
  return () => stopSlurm(cluster);
}
