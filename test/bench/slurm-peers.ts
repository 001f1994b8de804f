import type { Benchmark, Result } from "./benchmark.ts";
import { napping } from "./naps/naps.ts";
import { secondsOfPeer } from "./peers/seconds-of-peer.ts";
import { SLURM_PEERS } from "./peers/slurm-peer.ts";
import { benchCluster, sharedFolder } from "./slurm/bench-cluster.ts";
import { quietQueue } from "./slurm/hand-written.ts";
import { napsOn } from "./slurm/naps-on.ts";

const TASKS = 100;

/** Others submit a job for every task, and learn of its end from files that they look for. */
export const slurmPeers: Benchmark = {
  name: "slurm-peers",
  description: `${TASKS} tasks of a second on the same SLURM cluster, in other engines`,
  async run() {
    const cluster = await benchCluster();
    const wf = await napping(napsOn(cluster), TASKS, 1, "--quiet");
    await quietQueue();
    const results: Result[] = [];
    for (const peer of SLURM_PEERS) {
      const prepared = peer.prepare(TASKS);
      if (prepared === undefined) {
        process.stderr.write(`  ${peer.name} is not installed; see test/bench/peers/install.sh\n`);
        continue;
      }
      const referenceValue = secondsOfPeer(sharedFolder(cluster), prepared);
      await quietQueue();
      process.stderr.write(`  ${peer.name}: ${referenceValue.toFixed(1)} s, wf: ${wf.seconds.toFixed(1)} s\n`);
      results.push({ name: `slurm-${peer.name}`, value: wf.seconds, unit: "s", reference: peer.name, referenceValue });
    }
    return results;
  },
};
