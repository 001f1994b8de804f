import { z } from "zod";
import { Bytes } from "./amounts.ts";
import { HtcondorSettings } from "./htcondor-settings.ts";
import { Line } from "./site-text.ts";
import { SlurmSettings } from "./slurm-settings.ts";

/** Which tasks share a job. A stage's own number goes before the site's. */
export const Clustering = z
  .strictObject({
    /** `none`: a job for every task. `horizontal`: tasks of one stage share a job. */
    strategy: z.enum(["none", "horizontal"]).default("none"),
    /** How many tasks of one stage share a job at most. */
    tasksPerJob: z.number().int().min(1).default(16),
    /** Other numbers for single stages. */
    stages: z.record(z.string(), z.number().int().min(1)).default({}),
  })
  .prefault({});
export type Clustering = z.infer<typeof Clustering>;

/** How data reaches a task. `shared`: links into the site's store. `copy`: copies of its own. `transfer`: the scheduler's own file transfer. */
export const Placement = z.enum(["shared", "copy", "transfer"]);
export type Placement = z.infer<typeof Placement>;

const Settings = z.strictObject({
  /** How jobs are started: by this machine, by SLURM or by HTCondor. */
  backend: z.enum(["local", "slurm", "htcondor"]).default("local"),
  /** How a cluster is reached: `ssh://user@host:port`, or a name of `~/.ssh/config`. Default: this machine is its login node. */
  host: z
    .string()
    .regex(/^(ssh:\/\/)?([^\s/@]+@)?[^\s/@]+\/?$/, "must be ssh://user@host:port, or a name of ~/.ssh/config")
    .optional(),
  /** A line of sh before every command there, where a cluster has its commands on the PATH of logins alone. */
  prelude: Line.optional(),
  /** A file that ssh reads, as by `ssh -F`. Default: `~/.ssh/config`. */
  sshConfig: z.string().regex(/^\//, "must be an absolute path").optional(),
  /** The folder of a cluster that all of its nodes see; `~/` stands for the home there. A cluster must have it. Of a pool whose machines share no folders, one of its submit host. */
  storage: z
    .string()
    .regex(/^(\/|~\/).*[^/]$/, "must be an absolute path, or begin with ~/")
    .optional(),
  /** Who may use the storage of a cluster beside you. `group`: the group that its folder belongs to, whose members [trust each other](#a-storage-for-a-group). Default: nobody. */
  share: z.literal("group").optional(),
  resources: z
    .strictObject({
      /** Cores that tasks may use together. Default: all that the machine, its container or its batch job has. */
      cpus: z.number().positive().optional(),
      /** Memory that tasks may ask for together. Default: all of it. */
      memory: Bytes.optional(),
      /** GPUs, numbered from 0. Default: those that `nvidia-smi` or `rocm-smi` lists. */
      gpus: z.number().int().min(0).optional(),
    })
    .prefault({}),
  clustering: Clustering,
  /**
   * How inputs reach a task. `shared`: links into the site's content. `copy`: a copy for each task, for programs that
   * change their inputs or cannot follow links; on HTCondor, fetched from `htcondor.store`. `transfer`: HTCondor sends
   * them with the job.
   */
  placement: Placement.default("shared"),
  /**
   * The interpreter that runs the launcher (3.8 or newer; on a cluster 3.6), that `python` in a command means, and that
   * is tried first for a [runtime](runtimes.md). Default: the first python3 of `PATH`.
   */
  python: z.string().optional(),
  /** Variables that every task gets, as text. They are not part of a [key](caching.md). */
  env: z.record(z.string(), z.string()).default({}),
  slurm: SlurmSettings.optional(),
  htcondor: HtcondorSettings.optional(),
});

const OF_CLUSTERS = ["host", "sshConfig", "prelude", "storage", "share"] as const;

/** Where a run happens. No workflow names a path, a partition or a host: the site does. */
export const Site = Settings.superRefine((site, context) => {
  const wrong = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  for (const [setting, backend] of [
    ["slurm", "slurm"],
    ["htcondor", "htcondor"],
  ] as const) {
    if (site[setting] !== undefined && site.backend !== backend)
      wrong(setting, `is a setting of sites with "backend: ${backend}"`);
  }
  if (site.placement === "transfer" && site.backend !== "htcondor") {
    wrong("placement", 'only a site with "backend: htcondor" can have "transfer"');
  }
  switch (site.backend) {
    case "slurm":
      if (site.storage === undefined) {
        wrong("backend", 'a slurm site needs "storage": a folder that all nodes see, such as /scratch/me/wf');
      }
      return;
    case "htcondor":
      if (site.storage === undefined) {
        wrong("backend", 'an htcondor site needs "storage": a folder of its submit host, such as /scratch/me/wf');
      }
      if (site.placement === "copy" && site.htcondor?.store === undefined) {
        wrong("placement", '"copy" needs "htcondor.store": where machines reach the storage, over ssh or http');
      }
      return;
    case "local":
      for (const setting of OF_CLUSTERS) {
        if (site[setting] !== undefined)
          wrong(setting, 'is a setting of sites with "backend: slurm" or "backend: htcondor"');
      }
      return;
    default:
      site.backend satisfies never;
  }
});
export type Site = z.infer<typeof Site>;
export type NamedSite = Site & { readonly name: string };

export const LOCAL_SITE: NamedSite = { name: "local", ...Site.parse({}) };
