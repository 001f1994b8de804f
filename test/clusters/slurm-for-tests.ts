import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type SlurmCluster, stopSlurm, whyNoSlurm, wipeAbandonedSlurm } from "./slurm-cluster.ts";

const PLACES = 60;

/** What tests need to bring clusters up. */
export interface SlurmForTests {
  /** The clusters that are up, each in a file with the number of the worker that has it. */
  readonly notes: string;
  readonly owner: number;
  readonly place: number;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Null where there can be no cluster: tests that need one are skipped. */
    slurm: SlurmForTests | null;
  }
}

/** Clusters come up when a test file wants one, and are taken down after all tests, whatever became of them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const why = whyNoSlurm();
  if (why !== undefined) {
    console.warn(`SKIPPED: tests on a real SLURM cluster: ${why}`);
    project.provide("slurm", null);
    return async () => undefined;
  }
  await wipeAbandonedSlurm();
  const notes = mkdtempSync(join(tmpdir(), "wf-clusters-"));
  project.provide("slurm", { notes, owner: process.pid, place: Math.floor(Math.random() * PLACES) });
  return async () => {
    const clusters = readdirSync(notes).map(
      (name) => JSON.parse(readFileSync(join(notes, name), "utf8")) as SlurmCluster,
    );
    await Promise.all(clusters.map(stopSlurm));
    rmSync(notes, { recursive: true });
  };
}
