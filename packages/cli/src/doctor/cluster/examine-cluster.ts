import { type RuntimeWish, WfError } from "@wf/core";
import { createSitePreparer, SiteLauncher } from "@wf/launcher";
import { type NamedSite, SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import { openTransport } from "../../sites/open-transport.ts";
import { siteStorage } from "../../sites/site-storage.ts";
import { atOnce, type Examined, inTurn } from "../examined.ts";
import { checkNeededRuntimes } from "../runtimes.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { checkJob } from "./job.ts";
import { checkSiteLauncher } from "./launcher.ts";
import { checkClock, checkLogin } from "./login.ts";
import { checkPartitions } from "./partitions.ts";
import { checkClusterPython } from "./python.ts";
import { checkSetup } from "./setup.ts";
import { askSlurm, checkAccounting, checkLimits, checkSlurm } from "./slurm.ts";
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
    const asked = askSlurm(place);
    const ofMachine = atOnce([
      checkClock(place),
      checkClusterPython(place),
      checkStorage(place),
      checkSpace(place),
      checkSlurm(asked),
    ]);
    // That SLURM is silent is said once.
    const ofSlurm = asked.then(
      (answers) =>
        atOnce([
          checkAccounting(answers),
          ...checkPartitions(place, answers.survey),
          checkLimits(place, answers.survey),
        ]),
      () => [],
    );
    const ofJobs = atOnce([...checkSetup(place), checkSiteLauncher(place, launcher)]);
    for (const group of [ofMachine, ofSlurm, ofJobs]) {
      for (const examined of await group) yield await examined;
    }
    if (wishes !== null) yield* inTurn(checkNeededRuntimes(wishes, preparer));
    if (withJob) yield* inTurn([checkJob(place)]);
  } finally {
    await transport.close();
  }
}

async function placeOf(site: NamedSite, transport: Transport, signal: AbortSignal): Promise<ClusterPlace> {
  if (site.storage === undefined) throw new WfError("WF_SITE_INVALID", `the site ${site.name} has no storage`);
  return {
    site,
    slurm: site.slurm ?? SlurmSettings.parse({}),
    storage: await siteStorage(site.storage, transport, signal),
    python: site.python ?? "python3",
    transport,
    signal,
  };
}
