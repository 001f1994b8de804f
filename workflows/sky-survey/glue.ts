import { file, fn, json, many, z } from "wf";
import { type Source, Sources } from "./sources.ts";

/** One level for all tiles, so that the catalogue is equally deep everywhere: so many times the usual noise. */
export const chooseLevel = fn({
  name: "choose-level",
  inputs: { noise: many(json(z.number())) },
  outputs: { level: json(z.number()) },
  params: z.object({ threshold: z.number() }),
  run: ({ inputs, params }) => {
    const sorted = [...inputs.noise].sort((a, b) => a - b);
    return { level: params.threshold * (sorted[Math.floor(sorted.length / 2)] ?? 1) };
  },
});

/** One catalogue of all tiles, the brightest source first, and the brightest ones again, tile by tile. */
export const merge = fn({
  name: "merge",
  inputs: { catalogues: many(json(Sources)) },
  outputs: { catalogue: json(Sources), table: file("csv"), bright: json(z.array(Sources)) },
  params: z.object({ bright: z.number() }),
  run: ({ inputs, params }) => {
    const catalogue = inputs.catalogues.flat().sort((a, b) => b.flux - a.flux);
    const faintest = catalogue[Math.min(params.bright, catalogue.length) - 1]?.flux ?? 0;
    return {
      catalogue,
      table: tableOf(catalogue),
      bright: inputs.catalogues.map((tile) => tile.filter((source) => source.flux >= faintest)),
    };
  },
});

function tableOf(catalogue: readonly Source[]): string {
  const lines = catalogue.map((s) =>
    [s.tile, s.x, s.y, s.flux, (25 - 2.5 * Math.log10(s.flux)).toFixed(3), s.width, s.kind].join(","),
  );
  return ["tile,x,y,flux,magnitude,width,kind", ...lines, ""].join("\n");
}
