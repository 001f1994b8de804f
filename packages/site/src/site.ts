import { parseBytes, WfError } from "@wf/core";
import { z } from "zod";

const Bytes = z.union([z.string(), z.number()]).transform((text, context) => {
  try {
    return parseBytes(text);
  } catch (error) {
    context.addIssue(error instanceof WfError ? error.message : String(error));
    return z.NEVER;
  }
});

/** Which tasks share a job. A stage's own number goes before the site's. */
export const Clustering = z
  .strictObject({
    strategy: z.enum(["none", "horizontal"]).default("none"),
    /** How many tasks of one stage share a job. */
    tasksPerJob: z.number().int().min(1).default(16),
    /** Other numbers for single stages: `{ preprocess: 50, train: 1 }`. */
    stages: z.record(z.string(), z.number().int().min(1)).default({}),
  })
  .prefault({});
export type Clustering = z.infer<typeof Clustering>;

/** How data reaches a task. `shared`: links into the site's store. `copy`: copies of its own. */
export const Placement = z.enum(["shared", "copy"]);
export type Placement = z.infer<typeof Placement>;

/** Where a run happens. No workflow names a path, a partition or a host: the site does. */
export const Site = z.strictObject({
  backend: z.enum(["local"]).default("local"),
  /** What tasks may use together. Default: what the machine has. */
  resources: z
    .strictObject({
      cpus: z.number().positive().optional(),
      memory: Bytes.optional(),
      gpus: z.number().int().min(0).optional(),
    })
    .prefault({}),
  clustering: Clustering,
  placement: Placement.default("shared"),
  /** The interpreter of Python tasks and of the launcher. Default: for tasks the first python3 of PATH. */
  python: z.string().optional(),
  /** Variables that every task gets. */
  env: z.record(z.string(), z.string()).default({}),
});
export type Site = z.infer<typeof Site>;
export type NamedSite = Site & { readonly name: string };

export const LOCAL_SITE: NamedSite = { name: "local", ...Site.parse({}) };
