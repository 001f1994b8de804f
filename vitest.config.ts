import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

/** Built packages are Node's to load, so that a test and what it starts share one copy of each. */
const server = { deps: { external: [/\/packages\/[^/]+\/dist\//, /\/[0-9a-f]{64}\.mjs$/] } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          server,
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          pool: "threads",
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        // Whole programs: processes are started, killed and waited for.
        test: {
          server,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          // They wait for what they started more than they compute.
          maxWorkers: Math.max(2, availableParallelism()),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Real SLURM clusters on this machine, one for each worker. They wait for them more than they compute.
        test: {
          server,
          name: "cluster",
          include: ["test/cluster/**/*.test.ts"],
          globalSetup: "test/clusters/slurm-for-tests.ts",
          pool: "forks",
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Real HTCondor pools on this machine, one for each worker.
        test: {
          server,
          name: "pool",
          include: ["test/pool/**/*.test.ts"],
          globalSetup: "test/clusters/condor-for-tests.ts",
          pool: "forks",
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
