import {
  above,
  atLeast,
  atMost,
  below,
  both,
  either,
  equals,
  file,
  inOrder,
  json,
  not,
  nothing,
  optional,
  repeat,
  task,
  when,
  workflow,
  z,
} from "wf";

const improve = task({
  name: "improve",
  inputs: { from: optional(file("txt")) },
  outputs: { model: file("txt"), grade: json(z.string()) },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    '{ cat "$3" 2>/dev/null; echo better; } > "$1"; n=$(wc -l < "$1"); echo "{\\"score\\": 0.$n}" > "$WF_METRICS"; echo \'"B"\' > "$2"',
    "sh",
    outputs.model,
    outputs.grade,
    inputs.from,
  ],
  metrics: ["score"],
});

const polish = task({
  name: "polish",
  inputs: { model: file("txt") },
  outputs: { model: file("txt"), hints: optional(file("txt")) },
  command: ({ inputs, outputs }) => ["sort", "-u", inputs.model, "-o", outputs.model],
});

const publish = task({
  name: "publish",
  inputs: { model: file("txt"), hints: optional(file("txt")) },
  outputs: { done: file("txt") },
  command: ({ inputs, outputs }) => ["cp", inputs.model, outputs.done],
});

const clean = task({ name: "clean", command: () => ["true"] });

export default workflow({
  name: "control",
  params: z.object({ goal: z.number().default(0.3) }),
  build({ params }) {
    // At most five rounds; each is given what the one before has returned.
    const best = repeat(
      { model: nothing(file("txt")) },
      ({ model }, round) => {
        const better = improve({ from: model });
        return { model: better.model, score: better.metrics.score, grade: better.grade, round };
      },
      { atMost: 5, until: ({ score }) => atLeast(score, params.goal) },
    );

    // One branch or the other.
    const shown = when(
      both(above(best.score, 0.1), not(equals(best.grade, "A"))),
      () => polish({ model: best.model }).model,
      () => best.model,
    );

    // Perhaps nothing: without a second branch the result may be absent.
    const extra = when(
      either(below(best.score, 0.2), atMost(best.round, 1)),
      () => polish({ model: shown }, {}, { as: "polish-more" }).model,
    );
    const last = polish({ model: extra.orElse(shown) }, {}, { as: "finish" });
    const published = publish({ model: last.model, hints: last.hints });

    // One after the other, although no data flows.
    inOrder(published, clean({}));
    return { done: published.done, score: best.score, extra };
  },
});
