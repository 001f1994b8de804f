import type { TestProject } from "vitest/node";
import { type CondorPool, startCondor, stopCondor, whyNoCondor } from "./condor-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Null where there can be none: tests that need it are skipped. */
    condor: CondorPool | null;
  }
}

/** One pool for all tests of a run. It is brought up before them and taken down after them, whatever became of them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const why = whyNoCondor();
  if (why !== undefined) {
    console.warn(`SKIPPED: tests on a real HTCondor pool: ${why}`);
    project.provide("condor", null);
    return async () => undefined;
  }
  const pool = await startCondor();
  project.provide("condor", pool);
  return () => stopCondor(pool);
}
