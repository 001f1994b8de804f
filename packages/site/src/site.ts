import { z } from "zod";
import { Bytes } from "./amounts.ts";
import { Line, SlurmSettings } from "./slurm-settings.ts";

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

const Settings = z.strictObject({
  backend: z.enum(["local", "slurm"]).default("local"),
  /** How to reach a cluster: `ssh://me@login.example.org:22`, or a name of `~/.ssh/config`. Default: we are there. */
  host: z
    .string()
    .regex(/^(ssh:\/\/)?([^\s/@]+@)?[^\s/@]+\/?$/, "must be ssh://user@host:port, or a name of ~/.ssh/config")
    .optional(),
  /** A line of sh before every command there: `. /etc/profile`, where a cluster has its commands on the PATH of logins alone. */
  prelude: Line.optional(),
  /** Read in place of `~/.ssh/config`, as by `ssh -F`. */
  sshConfig: z.string().regex(/^\//, "must be an absolute path").optional(),
  /** The folder of a cluster that all of its nodes see; `~/` stands for the home there. */
  storage: z
    .string()
    .regex(/^(\/|~\/).*[^/]$/, "must be an absolute path, or begin with ~/")
    .optional(),
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
  slurm: SlurmSettings.optional(),
});

/** Where a run happens. No workflow names a path, a partition or a host: the site does. */
export const Site = Settings.superRefine((site, context) => {
  const wrong = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (site.backend === "slurm") {
    if (site.storage === undefined) {
      wrong("backend", 'a slurm site needs "storage": a folder that all nodes see, such as /scratch/me/wf');
    }
    return;
  }
  for (const setting of ["host", "sshConfig", "prelude", "storage", "slurm"] as const) {
    if (site[setting] !== undefined) wrong(setting, `is a setting of sites with "backend: slurm"`);
  }
});
export type Site = z.infer<typeof Site>;
export type NamedSite = Site & { readonly name: string };

export const LOCAL_SITE: NamedSite = { name: "local", ...Site.parse({}) };
