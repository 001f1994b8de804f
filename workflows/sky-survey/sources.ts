import { z } from "wf";

/** A source as a catalogue lists it: where it is in its tile, how bright, and what it looks like. */
const Source = z.object({
  tile: z.string(),
  x: z.number(),
  y: z.number(),
  /** Counts in all, and at the brightest point of the blurred tile. */
  flux: z.number(),
  peak: z.number(),
  /** Pixels above the level of detection. */
  area: z.number(),
  /** How wide it is; a star has 1. */
  width: z.number(),
  kind: z.enum(["star", "galaxy"]),
});
export type Source = z.infer<typeof Source>;
export const Sources = z.array(Source);

/** What was put into the made-up sky. */
export const Truth = z.array(Source.pick({ tile: true, x: true, y: true, flux: true, kind: true }));

/** One round of calibration: at which level sources were looked for, and how well that went. */
export const History = z.object({
  rounds: z.array(
    z.object({
      level: z.number(),
      sources: z.number(),
      completeness: z.number(),
      purity: z.number(),
      typed: z.number(),
    }),
  ),
  next: z.number(),
});

export const Profile = z.object({
  source: Source,
  /** Counts a pixel in rings one pixel wide, and the share of the light within them. */
  brightness: z.array(z.number()),
  growth: z.array(z.number()),
  halfLight: z.number(),
  flux: z.number(),
});
