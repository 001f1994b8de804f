import { DirectoryValue, FileValue, RuntimeWish } from "@wf/core";
import { Clustering, Placement } from "@wf/site";
import { z } from "zod";

/** What a run was started with and a resumed one goes on with; the store keeps it. */
export const RunSettings = z.object({
  keepGoing: z.boolean(),
  retries: z.number(),
  useCache: z.boolean(),
  outputs: z.string().nullable(),
  site: z.object({
    backend: z.enum(["local", "slurm"]),
    capacity: z.object({ cpus: z.number(), memoryBytes: z.number(), gpus: z.number() }),
    clustering: Clustering,
    placement: Placement,
    python: z.string().optional(),
    env: z.record(z.string(), z.string()),
  }),
  /** The code of each stage as it was: editing a script does not change a run that is under way. */
  code: z.record(
    z.string(),
    z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        value: z.discriminatedUnion("kind", [FileValue, DirectoryValue]),
      }),
    ),
  ),
  /** What the Python of each stage must offer, as it was too. */
  wishes: z.record(z.string(), RuntimeWish).default({}),
});
export type RunSettings = z.infer<typeof RunSettings>;
