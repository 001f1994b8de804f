import { availableParallelism, tmpdir } from "node:os";
import type { Benchmark, Result } from "./benchmark.ts";
import { makeProject } from "./measured-run.ts";
import { PEERS } from "./peers/peer.ts";
import { secondsOfPeer } from "./peers/seconds-of-peer.ts";

const TASKS = 1000;

const TOUCH = `
import { each, file, task, workflow, z } from "wf";

const touch = task({
  name: "touch",
  params: z.object({ i: z.number() }),
  outputs: { made: file("txt") },
  command: ({ outputs }) => ["touch", outputs.made],
});

export default workflow({
  name: "touching",
  build: () => ({ made: each(Array.from({ length: ${TASKS} }, (_, i) => i)).map((i) => touch({}, { i })).made }),
});
`;

/** Others keep less: make and ninja note nothing but a time stamp, wf a sandbox, a record and provenance a task. */
export const peers: Benchmark = {
  name: "peers",
  description: `the same fan-out of ${TASKS} tasks that each make a file, in other engines`,
  async run() {
    const project = makeProject(TOUCH);
    const wf = await project.wf("run", "--quiet");
    const results: Result[] = [];
    for (const peer of PEERS) {
      const prepared = peer.prepare(TASKS, availableParallelism());
      if (!prepared) {
        process.stderr.write(`  ${peer.name} is not installed; see test/bench/peers/install.sh\n`);
        continue;
      }
      const referenceValue = secondsOfPeer(tmpdir(), prepared);
      process.stderr.write(`  ${peer.name}: ${referenceValue.toFixed(1)} s, wf: ${wf.seconds.toFixed(1)} s\n`);
      results.push({ name: `peers-${peer.name}`, value: wf.seconds, unit: "s", reference: peer.name, referenceValue });
    }
    return results;
  },
};
