import { each, fn, json, many, task, workflow, z } from "wf";

/** Throws darts at a square and counts those that land in the quarter circle. */
const throwDarts = task({
  name: "throw",
  params: z.object({ seed: z.number(), darts: z.number() }),
  outputs: { inside: json(z.number()) },
  command: ({ params, outputs }) => [
    "awk",
    "BEGIN { srand(ARGV[1] + 0); while (n++ < ARGV[2]) c += rand() ^ 2 + rand() ^ 2 < 1; print c > ARGV[3] }",
    params.seed,
    params.darts,
    outputs.inside,
  ],
});

/** Small glue is plain TypeScript. */
const estimate = fn({
  name: "estimate",
  inputs: { inside: many(json(z.number())) },
  params: z.object({ darts: z.number() }),
  outputs: { pi: json(z.number()) },
  run: ({ inputs, params }) => {
    const hits = inputs.inside.reduce((sum, inside) => sum + inside, 0);
    return { pi: (4 * hits) / (inputs.inside.length * params.darts) };
  },
});

export default workflow({
  name: "pi",
  params: z.object({ players: z.number().int().min(1).default(8), darts: z.number().int().default(500_000) }),
  build({ params: { players, darts } }) {
    const seeds = Array.from({ length: players }, (_, player) => player + 1);
    const thrown = each(seeds).map((seed) => throwDarts({}, { seed, darts }));
    return { pi: estimate({ inside: thrown.inside }, { darts }).pi };
  },
});
