import { ClusterBackend, LoginNode, SchedulerCommands } from "@wf/backend-cluster";
import type { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import { pilotPool } from "./pilots/pilot-pool.ts";
import { SlurmSystem } from "./slurm-system.ts";

export interface SlurmBackendOptions {
  readonly run: string;
  /** The site's storage there, an absolute path that all nodes see. */
  readonly storage: string;
  readonly settings: SlurmSettings;
  /** How the login node is reached. It is used by others, too, and not closed here. */
  readonly transport: Transport;
  /** The interpreter on the site. Default: `python3`. */
  readonly python?: string | undefined;
  /** The launcher's zipapp. Default: the one that the build made. */
  readonly launcher?: string | undefined;
  /** Jobs that have to end well before anything of the run starts. */
  readonly after?: readonly string[] | undefined;
  /** What sites.yaml calls the site, for what people are told to type. */
  readonly site?: string | undefined;
}

/** Runs jobs on a SLURM cluster. */
export function slurmBackend(options: SlurmBackendOptions): ClusterBackend {
  const { run, storage, settings, transport, python = "python3", launcher, site, after } = options;
  const login = new LoginNode({ run, scheduler: "slurm", storage, transport, python, launcher, site });
  const commands = new SchedulerCommands((argv, signal) => login.run(argv, signal), settings.budget);
  const system = new SlurmSystem({ run, python, settings, login, commands, after });
  return new ClusterBackend({
    name: "slurm",
    run,
    capabilities: {
      capacity: null,
      maxInFlight: settings.limits.jobs,
      arrays: settings.limits.arraySize > 1,
      fileTransfer: false,
      liveMetrics: false,
    },
    system,
    login,
    commands,
    windowMs: settings.batchWindow * 1000,
    makePool: (hooks) => {
      const pool = pilotPool({ ...hooks, run, storage, python, settings, login, system });
      if (pool !== null) system.tellPilots(pool);
      return pool;
    },
  });
}
