import type { Benchmark } from "./benchmark.ts";
import { makeProject } from "./measured-run.ts";
import { measureReferenceRate } from "./reference-rate.ts";

const TRIALS = 200;
const COMMAND = ["sh", "-c", 'echo \'{"loss": 1}\' >> "$WF_METRICS"'];

const SEARCH = `
import { logUniform, search, task, tpe, uniform, workflow, z } from "wf";

const train = task({
  name: "train",
  params: z.object({ lr: z.number(), dropout: z.number() }),
  metrics: ["loss"],
  command: () => ${JSON.stringify(COMMAND)},
});

export default workflow({
  name: "trials",
  params: z.object({ n: z.number() }),
  build({ params: { n } }) {
    const space = { lr: logUniform(1e-5, 1e-1), dropout: uniform(0, 0.5) };
    const found = search(space, ({ params }) => train({}, params), {
      trials: n,
      window: 4,
      minimise: "loss",
      sampler: tpe(),
    });
    return { study: found.study };
  },
});
`;

export const trials: Benchmark = {
  name: "trials",
  description: `a search of ${TRIALS} trials that take no time, with a setting chosen and a result kept for each`,
  async run() {
    const reference = await measureReferenceRate(TRIALS, 2, "env", "WF_METRICS=/dev/null", ...COMMAND);
    const { seconds } = await makeProject(SEARCH).wf("run", "--quiet", "-p", `n=${TRIALS}`);
    return [
      {
        name: "trials",
        value: (60 * TRIALS) / seconds,
        unit: "trials/min",
        reference: "the same commands in a bare loop",
        referenceValue: 60 * reference,
      },
    ];
  },
};
