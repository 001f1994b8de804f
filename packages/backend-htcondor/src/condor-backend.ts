import { posix } from "node:path";
import { ClusterBackend, LoginNode, SchedulerCommands } from "@wf/backend-cluster";
import type { HtcondorSettings, Placement } from "@wf/site";
import type { Transport } from "@wf/transport";
import { CondorSystem } from "./condor-system.ts";

export interface HtcondorBackendOptions {
  readonly run: string;
  /** The site's storage on the submit host, an absolute path. Under `shared` all machines see it. */
  readonly storage: string;
  readonly placement: Placement;
  readonly settings: HtcondorSettings;
  /** The bearer token of the store under `copy`, where it wants one. */
  readonly storeToken?: string | undefined;
  /** How the submit host is reached. It is used by others, too, and not closed here. */
  readonly transport: Transport;
  /** The interpreter on the site. Default: `python3`. */
  readonly python?: string | undefined;
  /** The launcher's zipapp. Default: the one that the build made. */
  readonly launcher?: string | undefined;
}

/** Runs jobs on an HTCondor pool. */
export function htcondorBackend(options: HtcondorBackendOptions): ClusterBackend {
  const { run, storage, placement, settings, storeToken, transport, python = "python3", launcher } = options;
  const login = new LoginNode({ run, scheduler: "condor", storage, transport, python, launcher });
  const commands = new SchedulerCommands((argv, signal) => login.run(argv, signal), settings.budget);
  const log = posix.join(storage, "runs", run, "condor.log");
  return new ClusterBackend({
    name: "htcondor",
    run,
    capabilities: {
      capacity: null,
      maxInFlight: settings.limits.jobs,
      arrays: settings.limits.perSubmission > 1,
      fileTransfer: placement === "transfer",
      liveMetrics: false,
    },
    system: new CondorSystem({ run, python, placement, settings, login, commands, log, storeToken }),
    login,
    commands,
    windowMs: settings.batchWindow * 1000,
  });
}
