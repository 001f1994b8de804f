import { directory, each, file, json, many, task, workflow, z, zip } from "wf";

const shout = task({
  name: "shout",
  inputs: { text: file("txt") },
  outputs: { loud: file("txt") },
  params: z.object({ sign: z.string().default("!") }),
  command: ({ inputs, outputs, params }) => [
    "sh",
    "-c",
    'tr a-z A-Z < "$1" | sed "s/$/$2/" > "$3"',
    "sh",
    inputs.text,
    params.sign,
    outputs.loud,
  ],
});

const compare = task({
  name: "compare",
  inputs: { one: file("txt"), two: file("txt") },
  outputs: { difference: file("txt") },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'diff "$1" "$2" > "$3"; test $? -lt 2',
    "sh",
    inputs.one,
    inputs.two,
    outputs.difference,
  ],
});

const list = task({
  name: "list",
  inputs: { text: file("txt") },
  outputs: { letters: json(z.array(z.string())) },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'cut -c1 "$1" | sort -u | sed "s/.*/\\"&\\"/" | paste -sd, | sed "s/.*/[&]/" > "$2"',
    "sh",
    inputs.text,
    outputs.letters,
  ],
});

const count = task({
  name: "count",
  inputs: { text: file("txt") },
  outputs: { count: json(z.number()) },
  params: z.object({ letter: z.string() }),
  command: ({ inputs, outputs, params }) => [
    "awk",
    'BEGIN { letter = ARGV[1]; out = ARGV[2]; ARGC = 4; ARGV[1] = ARGV[2] = "" } index($0, letter) { n++ } END { print n + 0 > out }',
    params.letter,
    outputs.count,
    inputs.text,
  ],
});

const gather = task({
  name: "gather",
  inputs: { texts: many(file("txt")) },
  outputs: { all: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'out=$1; shift; cat "$@" > "$out"', "sh", outputs.all, inputs.texts],
});

export default workflow({
  name: "fan-out",
  inputs: { texts: directory({ path: "data/texts" }), words: file("txt", { path: "data/words.txt" }) },
  build({ inputs }) {
    // Over a list that is known now.
    const signs = each(["!", "?"]).map((sign) => shout({ text: inputs.words }, { sign }, { as: "shout-words" }));

    // Over the files of a folder: how many there are is known when the run reads it.
    const files = inputs.texts.files("*.txt");
    const loud = files.map((text) => shout({ text }));

    // Over pairs: the first with the first, the second with the second.
    const differences = zip({ one: files, two: loud.loud }).map(({ one, two }) => compare({ one, two }));

    // One inside the other: for every text, over a list that a task has written.
    const counts = files.map((text) =>
      list({ text })
        .letters.items()
        .map((letter) => count({ text }, { letter }).count),
    );

    return {
      signs: signs.loud,
      all: gather({ texts: loud.loud }).all,
      differences: differences.difference,
      counts: counts.flat(),
    };
  },
});
