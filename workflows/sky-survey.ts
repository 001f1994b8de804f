/**
 * A sky survey: observe, take the glow of the sky off, find stars and galaxies, and measure the brightest of them.
 * The sky is made up, so the truth is known, and the numbers in the report are held against it.
 */
import { below, datasetOf, when, workflow, z, zip } from "wf";
import calibrate from "./sky-survey/calibrate.ts";
import { chooseLevel, merge } from "./sky-survey/glue.ts";
import { assess, flatten, mosaic, observe, profile, report, vet } from "./sky-survey/tasks.ts";

export default workflow({
  name: "sky-survey",
  params: z.object({
    /** Where the telescope points; clouds take some of them. */
    tiles: z.number().int().min(1).max(81).default(25),
    /** Pixels along the side of a tile; the glow of the sky is measured in squares of 32. */
    size: z.number().multipleOf(32).min(96).max(1024).default(256),
    seed: z.number().int().default(4),
    /** Where the search for sources begins, in units of the noise. */
    threshold: z.number().positive().default(8),
    /** Which part of the sources has to be found. */
    goal: z.number().min(0).max(1).default(0.85),
    /** Candidates are looked at once more if fewer of them than this are real. */
    purity: z.number().min(0).max(1).default(0.97),
    /** How many sources are measured one by one. */
    bright: z.number().int().min(1).default(24),
    style: z.enum(["night", "print"]).default("night"),
  }),
  build({ params: { tiles, size, seed, threshold, goal, purity, bright, style } }) {
    const { sky, truth } = observe({}, { tiles, size, seed });

    // A task for every tile: how many there are is known when the telescope has closed.
    const flat = sky.rows().map(({ image, seeing }) => flatten({ image }, { seeing }));
    const seeing = sky.column("seeing");
    const flatSky = datasetOf({ image: flat.image, name: sky.column("name"), seeing });

    // Search, compare, search deeper: a loop of at most three rounds.
    const { level } = chooseLevel({ noise: flat.noise }, { threshold });
    const found = calibrate({ sky: flatSky, truth, level }, { goal });

    // Only a catalogue that is not pure enough is worth a second look.
    const sources = when(
      below(found.purity, purity),
      () =>
        zip({ image: flat.image, sources: found.sources, seeing }).map(
          ({ image, sources, seeing }) => vet({ image, sources }, { seeing }).sources,
        ),
      () => found.sources,
    );
    const score = assess(
      { catalogues: sources, truth, history: found.history },
      { level: found.searchedAt, goal },
      { as: "score" },
    );

    // The brightest sources of each tile: a list of lists that exists only now, and a task for every one of them.
    const merged = merge({ catalogues: sources }, { bright });
    const measured = zip({ image: flat.image, sources: merged.bright.items() }).map(({ image, sources }) =>
      sources.items().map((source) => profile({ image }, { source })),
    );

    const { picture } = mosaic({ sky: flatSky, catalogue: merged.catalogue, bright: merged.bright }, { style });
    const { page } = report(
      {
        mosaic: picture,
        history: score.history,
        profiles: measured.profile.flat(),
        stamps: measured.stamp.flat(),
      },
      { style },
    );
    return {
      report: page,
      mosaic: picture,
      catalogue: merged.table,
      completeness: score.metrics.completeness,
      purity: score.metrics.purity,
      typed: score.metrics.typed,
    };
  },
});
