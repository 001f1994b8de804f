import { availableParallelism } from "node:os";
import { propertySettings } from "@wf/testing";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

/** How many cases properties draw. */
const setupFiles = ["test/property-settings.ts"];

/** Built packages are Node's to load, so that a test and what it starts share one copy of each. */
const server = { deps: { external: [/\/packages\/[^/]+\/dist\//, /\/[0-9a-f]{64}\.mjs$/] } };

const MINUTE_MS = 60_000;

/**
 * A limit ends what hangs and measures nothing: a machine at a tenth of the speed keeps it. Tests have none of their own.
 * `until` of @wf/testing gives up before, with words. Properties of which more cases are asked take as long as they take.
 */
const limits = (minutes: number) => {
  const ms = propertySettings().numRuns === undefined ? minutes * MINUTE_MS : 0;
  return { testTimeout: ms, hookTimeout: ms, env: { WF_TEST_PATIENCE_MS: String(0.8 * minutes * MINUTE_MS) } };
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          server,
          setupFiles,
          name: "unit",
          include: ["packages/*/src/**/*.test.ts"],
          pool: "threads",
          isolate: false,
          ...limits(10),
        },
      },
      {
        // Whole programs: processes are started, killed and waited for.
        test: {
          server,
          setupFiles,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          pool: "forks",
          // They wait for what they started more than they compute.
          maxWorkers: Math.max(2, availableParallelism()),
          ...limits(30),
        },
      },
      {
        // Real SLURM clusters on this machine, one for each worker. They wait for them more than they compute.
        test: {
          server,
          setupFiles,
          name: "cluster",
          include: ["test/cluster/**/*.test.ts"],
          globalSetup: "test/clusters/slurm-for-tests.ts",
          pool: "forks",
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...limits(30),
        },
      },
      {
        // Real HTCondor pools on this machine, one for each worker.
        test: {
          server,
          setupFiles,
          name: "pool",
          include: ["test/pool/**/*.test.ts"],
          globalSetup: "test/clusters/condor-for-tests.ts",
          pool: "forks",
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          ...limits(30),
        },
      },
    ],
  },
});
