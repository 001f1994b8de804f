/**
 * The application stage: the best model that workflows/spheroids-train.ts has made looks at a folder of droplets, in
 * pieces, as many at once as the site allows, and gives masks, counts, areas and a gallery. `--input images=FOLDER`;
 * without it some droplets are made. `--input model=model.safetensors` names another model.
 */
import { datasetOf, directory, file, optional, workflow, z } from "wf";
import { apply, gallery, generate } from "./spheroids/tasks.ts";

export default workflow({
  name: "spheroids",
  inputs: {
    images: optional(directory()),
    model: file("safetensors", { model: "spheroid-unet", lowest: "count_error" }),
  },
  params: z.object({
    /** How many droplets are made where none are given. */
    droplets: z.number().int().min(1).default(2000),
    seed: z.number().int().default(55),
    /** Images that one task works on. Loading the model takes as long as some two hundred of them. */
    chunk: z.number().int().min(1).default(1000),
    batch: z.number().int().min(1).default(32),
    /** In pixels; what is smaller is taken for dust. */
    leastArea: z.number().int().min(1).default(20),
    /** Micrometres along a pixel; 0: unknown, sizes are in pixels. */
    pixel: z.number().min(0).default(0),
  }),
  build({ params, inputs }) {
    const images = inputs.images
      ? inputs.images.files("**/*.{png,PNG,jpg,jpeg,JPG,bmp,tif,tiff,TIF}")
      : generate({}, { images: params.droplets, seed: params.seed }, { as: "droplets" }).droplets.column("image");
    const found = datasetOf({ image: images })
      .chunks({ size: params.chunk })
      .map((images) => apply({ model: inputs.model, images }, { batch: params.batch, leastArea: params.leastArea }));
    const shown = gallery({ tables: found.table, examples: found.examples.merge() }, { pixel: params.pixel });
    return {
      masks: found.masks.merge(),
      table: shown.table,
      gallery: shown.page,
      images: shown.metrics.images,
      spheroids: shown.metrics.spheroids,
    };
  },
});
