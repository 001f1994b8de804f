import { dataset, file, json, many, optional, python, task, z } from "wf";
import { History, Profile, Sources, Truth } from "./sources.ts";

/** Tiles of the sky, each with its name and with how much the air blurred it. */
export const tiles = dataset({ image: file("pgm"), name: json(z.string()), seeing: json(z.number()) });

const survey = python("./survey");
const style = z.enum(["night", "print"]);

/** The telescope. How many tiles there are is known only afterwards: clouds take some. */
export const observe = task({
  name: "observe",
  outputs: { sky: tiles, truth: json(Truth) },
  params: z.object({ tiles: z.number(), size: z.number(), seed: z.number() }),
  metrics: ["tiles", "sources"],
  runtime: survey,
  command: ({ outputs, params }) => [
    "python3",
    "-m",
    "observe",
    outputs.sky,
    outputs.truth,
    params.tiles,
    params.size,
    params.seed,
  ],
});

/** Takes the glow of the sky off a tile. */
export const flatten = task({
  name: "flatten",
  inputs: { image: file("pgm") },
  outputs: { image: file("pgm"), noise: json(z.number()) },
  params: z.object({ seeing: z.number() }),
  runtime: survey,
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "background",
    inputs.image,
    outputs.image,
    outputs.noise,
    params.seeing,
  ],
});

/** Finds and measures everything in a tile that is brighter than a level. */
export const detect = task({
  name: "detect",
  inputs: { image: file("pgm") },
  outputs: { sources: json(Sources) },
  params: z.object({ tile: z.string(), seeing: z.number(), level: z.number() }),
  metrics: ["sources"],
  runtime: survey,
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "detect",
    inputs.image,
    outputs.sources,
    params.tile,
    params.seeing,
    params.level,
  ],
});

/** Compares catalogues with the truth: how much was found, and how much of what was found is real. */
export const assess = task({
  name: "assess",
  inputs: { catalogues: many(json(Sources)), truth: json(Truth), history: optional(json(History)) },
  outputs: { history: json(History) },
  params: z.object({ level: z.number(), goal: z.number() }),
  metrics: ["completeness", "purity", "typed"],
  runtime: survey,
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "assess",
    inputs.truth,
    outputs.history,
    params.level,
    params.goal,
    `previous=${inputs.history}`,
    inputs.catalogues,
  ],
});

/** Puts aside what is sharper than the air allows: cosmic rays. */
export const vet = task({
  name: "vet",
  inputs: { image: file("pgm"), sources: json(Sources) },
  outputs: { sources: json(Sources) },
  params: z.object({ seeing: z.number() }),
  metrics: ["kept", "rejected"],
  runtime: survey,
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "vet",
    inputs.image,
    inputs.sources,
    outputs.sources,
    params.seeing,
  ],
});

/** Cuts one source out of its tile and measures how its light falls off. */
export const profile = task({
  name: "profile",
  inputs: { image: file("pgm") },
  outputs: { stamp: file("png"), profile: json(Profile) },
  params: z.object({ source: Sources.element }),
  runtime: survey,
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "measure",
    inputs.image,
    outputs.stamp,
    outputs.profile,
    params.source,
  ],
});

/** All tiles in one picture, with the sources marked. */
export const mosaic = task({
  name: "mosaic",
  inputs: { sky: tiles, catalogue: json(Sources), bright: json(z.array(Sources)) },
  outputs: { picture: file("png") },
  params: z.object({ style }),
  runtime: survey,
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "mosaic",
    inputs.sky,
    inputs.catalogue,
    inputs.bright,
    outputs.picture,
    params.style,
  ],
});

/** One page that holds everything, pictures included. Its code is its own: a new layout measures nothing again. */
export const report = task({
  name: "report",
  inputs: {
    mosaic: file("png"),
    history: json(History),
    profiles: many(json(Profile)),
    stamps: many(file("png")),
  },
  outputs: { page: file("html") },
  params: z.object({ style }),
  runtime: python("./report"),
  command: ({ inputs, outputs, params }) => [
    "python3",
    "-m",
    "report",
    outputs.page,
    params.style,
    inputs.mosaic,
    inputs.history,
    "profiles",
    inputs.profiles,
    "stamps",
    inputs.stamps,
  ],
});
