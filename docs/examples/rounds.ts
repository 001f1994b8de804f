/** Scans of which one cannot be read, and guesses that learn from earlier guesses. */
import { each, fn, json, many, series, task, tolerate, workflow, z } from "wf";

const count = task({
  name: "count",
  params: z.object({ scan: z.number() }),
  outputs: { cells: json(z.number()) },
  command: ({ params, outputs }) => [
    "awk",
    "BEGIN { if (ARGV[1] == 3) exit 1; print 40 + ARGV[1] > ARGV[2] }",
    params.scan,
    outputs.cells,
  ],
});

const mean = fn({
  name: "mean",
  inputs: { cells: many(json(z.number())) },
  outputs: { mean: json(z.number()) },
  run: ({ inputs: { cells } }) => ({ mean: cells.reduce((sum, n) => sum + n, 0) / cells.length }),
});

const guess = fn({
  name: "guess",
  inputs: { errors: many(json(z.number())) },
  params: z.object({ number: z.number() }),
  outputs: { guess: json(z.number()) },
  run: ({ inputs: { errors } }) => ({ guess: errors.reduce((at, error) => at - error / 2, 0) }),
});

const test = task({
  name: "test",
  params: z.object({ guess: z.number() }),
  outputs: { error: json(z.number()) },
  command: ({ params, outputs }) => ["awk", "BEGIN { print ARGV[1] - 42 > ARGV[2] }", params.guess, outputs.error],
});

export default workflow({
  name: "rounds",
  build() {
    const cells = each([1, 2, 3, 4]).map((scan) => tolerate(() => count({}, { scan }).cells));
    const average = mean({ cells: cells.present() });

    const rounds = series({ count: 8, window: 2, gives: { error: json(z.number()) } }, (earlier, number) => {
      const next = guess({ errors: earlier.error }, { number });
      return { error: test({}, { guess: next.guess }).error, guess: next.guess };
    });
    return { mean: average.mean, errors: rounds.error, guesses: rounds.guess };
  },
});
