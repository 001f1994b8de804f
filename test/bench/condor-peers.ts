import type { Benchmark } from "./benchmark.ts";
import { benchPool, trustingPool } from "./condor/bench-pool.ts";
import { quietPool } from "./condor/hand-written.ts";
import { napsOn } from "./condor/naps-on.ts";
import { napping } from "./naps/naps.ts";
import { snakemakeOn } from "./peers/condor-peer.ts";
import { secondsOfPeer } from "./peers/seconds-of-peer.ts";

const TASKS = 50;

/** It submits a job for every task, and reads of its end in a log. */
export const condorPeers: Benchmark = {
  name: "condor-peers",
  description: `${TASKS} tasks of a second on the same HTCondor pool, in Snakemake`,
  async run() {
    const pool = await benchPool();
    const prepared = snakemakeOn(pool, TASKS);
    if (prepared === undefined) {
      process.stderr.write("  Snakemake's HTCondor plugin is not installed; see test/bench/peers/install.sh\n");
      return [];
    }
    await trustingPool(pool);
    const wf = await napping(napsOn(pool), TASKS, 1, "--quiet");
    await quietPool();
    const referenceValue = secondsOfPeer(pool.folder, prepared);
    await quietPool();
    return [{ name: "condor-snakemake", value: wf.seconds, unit: "s", reference: "snakemake", referenceValue }];
  },
};
