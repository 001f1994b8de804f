import { carried, dataset, file, json, task, workflow, z } from "wf";

const scans = dataset({ image: file("pgm"), mask: file("pgm") });

const split = task({
  name: "split",
  inputs: { all: scans },
  outputs: { train: scans.as("train"), val: scans.as("val"), test: scans.as("test") },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'for c in image mask; do cp "$1/$c/a.pgm" "$2/$c"; cp "$1/$c/b.pgm" "$3/$c"; cp "$1/$c/c.pgm" "$4/$c"; done',
    "sh",
    inputs.all,
    outputs.train,
    outputs.val,
    outputs.test,
  ],
});

const train = task({
  name: "train",
  inputs: { train: scans, val: scans, alphabet: file("txt"), test: carried(scans) },
  outputs: { model: file("txt") },
  fits: true,
  resources: { time: "1h" },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'ls "$1"/* "$2"/* > "$3"',
    "sh",
    inputs.train,
    inputs.val,
    outputs.model,
  ],
});

const evaluate = task({
  name: "evaluate",
  inputs: { model: file("txt"), test: scans },
  outputs: { dice: json(z.number()) },
  command: ({ outputs }) => ["sh", "-c", 'echo 0.9 > "$1"', "sh", outputs.dice],
});

export default workflow({
  name: "splits",
  inputs: {
    scans: dataset({ image: file("pgm"), mask: file("pgm") }, { path: "data/scans" }),
    alphabet: file("txt", { path: "data/words.txt" }).as("reference"),
  },
  build({ inputs }) {
    const parts = split({ all: inputs.scans });
    const { model } = train({ train: parts.train, val: parts.val, alphabet: inputs.alphabet, test: parts.test });
    return { dice: evaluate({ model, test: parts.test }).dice };
  },
});
