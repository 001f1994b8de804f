import { createSitePreparer, SiteLauncher } from "@wf/launcher";
import { type RuntimeWish, WfError } from "@wf/protocol";
import { openTransport, schedulerOf, siteStorage } from "@wf/run";
import type { NamedSite } from "@wf/site";
import type { Transport } from "@wf/transport";
import { atOnce, type Examined, inTurn } from "../examined.ts";
import { checkNeededRuntimes } from "../runtimes.ts";
import type { ClusterPlace, SchedulerChecks } from "./cluster-place.ts";
import { poolChecks } from "./htcondor.ts";
import { checkSiteLauncher } from "./launcher.ts";
import { checkClock, checkLogin } from "./login.ts";
import { checkClusterPython } from "./python.ts";
import { slurmChecks } from "./slurm.ts";
import { checkSpace, checkStorage } from "./storage.ts";

const TIMEOUT_MS = 120_000;

export interface ClusterExamination {
  readonly site: NamedSite;
  /** What a workflow needs of Python; null without a workflow. */
  readonly wishes: readonly RuntimeWish[] | null;
  readonly withJob: boolean;
}

/** Everything that can be wrong with a cluster before a run. Who cannot log in learns of that alone. */
export async function* examineCluster({ site, wishes, withJob }: ClusterExamination): AsyncGenerator<Examined> {
  const transport = openTransport(site);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for await (const login of inTurn([checkLogin(transport, signal)])) {
      yield login;
      if (login.diagnosis.health === "fail") return;
    }
    const place = await placeOf(site, transport, signal);
    const launcher = new SiteLauncher({ storage: place.storage, transport, python: place.python });
    const preparer = createSitePreparer({ storage: place.storage, transport, launcher, python: site.python });
    const scheduler = schedulerChecks(place);
    const ofMachine = atOnce([
      checkClock(place),
      checkClusterPython(place),
      checkStorage(place),
      checkSpace(place),
      scheduler.answers,
    ]);
    const ofScheduler = scheduler.more.then(atOnce);
    const ofJobs = atOnce([...scheduler.setup(launcher), checkSiteLauncher(place, launcher)]);
    for (const group of [ofMachine, ofScheduler, ofJobs]) {
      for (const examined of await group) yield await examined;
    }
    if (wishes !== null) yield* inTurn(checkNeededRuntimes(wishes, preparer));
    if (withJob) yield* inTurn([scheduler.job()]);
  } finally {
    await transport.close();
  }
}

function schedulerChecks(place: ClusterPlace): SchedulerChecks {
  const { slurm, htcondor } = schedulerOf(place.site);
  if (slurm !== undefined) return slurmChecks({ ...place, slurm });
  if (htcondor !== undefined) return poolChecks({ ...place, htcondor });
  throw new TypeError(`${place.site.name} is no cluster`);
}

async function placeOf(site: NamedSite, transport: Transport, signal: AbortSignal): Promise<ClusterPlace> {
  if (site.storage === undefined) throw new WfError("WF_SITE_INVALID", `the site ${site.name} has no storage`);
  return {
    site,
    storage: await siteStorage(site.storage, transport, signal),
    python: site.python ?? "python3",
    transport,
    signal,
  };
}
