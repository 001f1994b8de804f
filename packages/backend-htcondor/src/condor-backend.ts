import { ClusterBackend, LoginNode, SchedulerCommands } from "@wf/backend-cluster";
import { siteRunFolder } from "@wf/protocol";
import type { HtcondorSettings, Placement } from "@wf/site";
import type { Transport } from "@wf/transport";
import { CondorSystem, type StoreTokens } from "./condor-system.ts";

export interface HtcondorBackendOptions {
  readonly run: string;
  /** The site's storage on the submit host, an absolute path. Under `shared` all machines see it. */
  readonly storage: string;
  readonly placement: Placement;
  readonly settings: HtcondorSettings;
  /** The bearer tokens of the store under `copy`, where it wants them. */
  readonly storeTokens?: StoreTokens | undefined;
  /** How the submit host is reached. It is used by others, too, and not closed here. */
  readonly transport: Transport;
  /** The interpreter on the site. Default: `python3`. */
  readonly python?: string | undefined;
  /** The launcher's zipapp. Default: the one that the build made. */
  readonly launcher?: string | undefined;
  /** What sites.yaml calls the site, for what people are told to type. */
  readonly site?: string | undefined;
}

/** Runs jobs on an HTCondor pool. */
export function htcondorBackend(options: HtcondorBackendOptions): ClusterBackend {
  const {
    run,
    storage,
    placement,
    settings,
    storeTokens = {},
    transport,
    python = "python3",
    launcher,
    site,
  } = options;
  const login = new LoginNode({ run, scheduler: "condor", storage, transport, python, launcher, site });
  const commands = new SchedulerCommands((argv, signal) => login.run(argv, signal), settings.budget);
  const log = siteRunFolder(storage, run).eventLog;
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
    system: new CondorSystem({ run, python, placement, settings, login, commands, log, storeTokens }),
    login,
    commands,
    windowMs: settings.batchWindow * 1000,
  });
}
