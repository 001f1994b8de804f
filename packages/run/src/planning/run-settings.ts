import { DirectoryValue, FileValue, RuntimeWish } from "@wf/protocol";
import { Clustering, HtcondorSettings, Placement, SlurmSettings } from "@wf/site";
import { z } from "zod";

const Capacity = z.object({ cpus: z.number(), memoryBytes: z.number(), gpus: z.number() });
const anySite = {
  clustering: Clustering,
  placement: Placement,
  python: z.string().optional(),
  env: z.record(z.string(), z.string()),
};

const anyCluster = {
  ...anySite,
  /** The most that one task may have; null where the site does not say. */
  capacity: Capacity.nullable(),
  host: z.string().optional(),
  sshConfig: z.string().optional(),
  prelude: z.string().optional(),
  storage: z.string(),
  share: z.literal("group").optional(),
};

/** The site as it was when the run started. */
export const RunSite = z.discriminatedUnion("backend", [
  z.object({ ...anySite, backend: z.literal("local"), capacity: Capacity }),
  z.object({ ...anyCluster, backend: z.literal("slurm"), slurm: SlurmSettings }),
  z.object({ ...anyCluster, backend: z.literal("htcondor"), htcondor: HtcondorSettings }),
]);
export type RunSite = z.infer<typeof RunSite>;

/** What a run was started with and a resumed one goes on with; the store keeps it. */
export const RunSettings = z.object({
  keepGoing: z.boolean(),
  retries: z.number(),
  useCache: z.boolean(),
  outputs: z.string().nullable(),
  /** Jobs of the site's scheduler that have to end well before anything of the run starts. */
  after: z.array(z.string()).default([]),
  site: RunSite,
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
