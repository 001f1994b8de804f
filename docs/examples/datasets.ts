import { dataset, datasetOf, directory, file, json, task, workflow, z } from "wf";

const scans = dataset({ image: file("pgm"), mask: file("pgm") });

const invert = task({
  name: "invert",
  inputs: { image: file("pgm") },
  outputs: { image: file("pgm"), mean: json(z.number()) },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'awk \'NR > 3 { $1 = 255 - $1 } { print }\' "$1" > "$2"; awk \'NR > 3 { s += $1; n++ } END { print s / n }\' "$2" > "$3"',
    "sh",
    inputs.image,
    outputs.image,
    outputs.mean,
  ],
});

const tile = task({
  name: "tile",
  inputs: { scans },
  outputs: { tiles: dataset({ image: file("pgm"), label: json(z.string()) }) },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'for f in "$1"/image/*; do n=$(basename "$f"); cp "$f" "$2/image/$n"; echo "{\\"image\\":\\"image/$n\\",\\"label\\":\\"left\\"}"; done > "$2/rows.jsonl"',
    "sh",
    inputs.scans,
    outputs.tiles,
  ],
});

const names = task({
  name: "names",
  inputs: { images: dataset({ image: file("pgm") }) },
  outputs: { names: directory() },
  command: ({ inputs, outputs }) => ["sh", "-c", 'ls "$1/image" > "$2/names.txt"', "sh", inputs.images, outputs.names],
});

export default workflow({
  name: "datasets",
  inputs: { scans: dataset({ image: file("pgm"), mask: file("pgm") }, { path: "data/scans" }) },
  build({ inputs }) {
    // Row by row: `image` and `mask` belong together.
    const inverted = inputs.scans.rows().map(({ image }) => invert({ image }));
    // A dataset of what came out, with a column of the old one and a column of numbers.
    const pairs = datasetOf({ image: inverted.image, mask: inputs.scans.column("mask"), mean: inverted.mean });
    // In pieces of at most two rows, each of which is a dataset, and in one piece again.
    const tiles = inputs.scans.chunks({ size: 2 }).map((piece) => tile({ scans: piece }).tiles);
    // A task that declares fewer columns sees, and depends on, those only.
    const listed = names({ images: inputs.scans });
    return { pairs, tiles: tiles.merge(), images: inputs.scans.pick("image"), names: listed.names };
  },
});
