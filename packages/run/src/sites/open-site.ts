import { mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { Backend, RuntimePreparer } from "@wf/backend";
import { createLocalBackend } from "@wf/backend-local";
import { type Movement, type ObjectStore, SiteContent } from "@wf/data";
import { createLocalPreparer, createSitePreparer, SiteLauncher } from "@wf/launcher";
import { type Account, localRunFolder, siteRunFolder } from "@wf/protocol";
import type { Ask } from "@wf/transport";
import type { RunSite } from "../planning/run-settings.ts";
import { AttemptsElsewhere, type AttemptsElsewhereOptions } from "./attempts-elsewhere.ts";
import { BackendElsewhere } from "./backend-elsewhere.ts";
import { clusterBackend } from "./cluster-backend.ts";
import { LostConnection } from "./lost-connection.ts";
import { openTransport, sshWords } from "./open-transport.ts";
import type { QueueState } from "./queue-state.ts";
import { keepMarked, markClosed, markOpen } from "./run-marks.ts";
import { makeSharedStorage } from "./shared-storage.ts";
import { siteStorage } from "./site-storage.ts";
import { storeIdentity } from "./store-identity.ts";

/** A site as a run uses it. */
export interface OpenSite {
  /** Where tasks find their content, as they see it. */
  readonly storage: string;
  readonly backend: Backend;
  readonly preparer: RuntimePreparer;
  /** What its scheduler says; null where there is none. */
  readonly queue: (() => QueueState) | null;
  /** What its scheduler's accounting says of jobs that are over; null where there is none. */
  readonly accounts: ((jobs: readonly string[]) => Promise<ReadonlyMap<string, Account>>) | null;
  /** Content that lies elsewhere; null where the site's storage is the store's own folder. */
  readonly content: SiteContent | null;
  close(): Promise<void>;
}

export interface SiteToOpen {
  readonly run: string;
  readonly site: RunSite;
  /** What sites.yaml calls it. */
  readonly siteName: string;
  /** Jobs of its scheduler that have to end well before anything of the run starts. */
  readonly after: readonly string[];
  /** The store's folder here. */
  readonly folder: string;
  readonly objects: ObjectStore;
  readonly note: (text: string) => void;
  readonly ask: Ask;
  readonly onMoved: (moved: Movement) => void;
  /** Earlier runs left results, so it is worth knowing what lies on the site. */
  readonly canReuse: boolean;
}

export async function openSite(wish: SiteToOpen, signal: AbortSignal): Promise<OpenSite> {
  const { run, site, folder } = wish;
  if (site.backend !== "local") return await openCluster(wish, site, signal);
  const { capacity, python } = site;
  return {
    storage: folder,
    backend: createLocalBackend({ run, storage: folder, capacity, python }),
    preparer: createLocalPreparer({ storage: folder, python }),
    queue: null,
    accounts: null,
    content: null,
    close: async () => undefined,
  };
}

/** A site that does not answer keeps the mark of an open run, and nobody waiting. */
const CLOSING_MS = 5000;

type Cluster = Exclude<RunSite, { backend: "local" }>;

async function openCluster(
  { run, siteName, after, folder, objects, note, ask, onMoved, canReuse }: SiteToOpen,
  site: Cluster,
  signal: AbortSignal,
): Promise<OpenSite> {
  const { python = "python3" } = site;
  const connection = new LostConnection();
  const transport = openTransport(site, note, (event) => connection.hear(event), ask);
  try {
    const storage = await siteStorage(site.storage, transport, signal);
    const content = new SiteContent({ objects, transport, storage, onMoved });
    const inner = clusterBackend(site, { run, storage, transport, python, site: siteName, after });
    const launcher = new SiteLauncher({ storage, transport, python, site: siteName });
    const place = { run, folder, transport, storage, ssh: sshWords(site) };
    const attempts = site.host === undefined ? null : new AttemptsElsewhere(place);
    if (site.share === "group") await makeSharedStorage(storage, transport, signal);
    const identity = storeIdentity(folder);
    await markOpen(place, identity, note, signal);
    if (attempts === null) await linkAttempts(place, signal);
    if (canReuse) await content.look(signal);
    const stopMarking = keepMarked(place, identity);
    return {
      storage,
      backend: new BackendElsewhere({ inner, content, objects, attempts }),
      preparer: createSitePreparer({ storage, transport, launcher, python: site.python }),
      queue: () => {
        const { waiting, held, ...state } = inner.queueState();
        const commands = Object.fromEntries(inner.commandCounts);
        const { howToRelease } = inner;
        return {
          ...state,
          howToRelease,
          waiting: Object.fromEntries(waiting),
          held: Object.fromEntries(held),
          commands,
          lost: connection.since,
          silent: inner.silence,
        };
      },
      accounts: (jobs) => inner.accounts(jobs, signal),
      content,
      close: async () => {
        await stopMarking();
        await markClosed(place, AbortSignal.timeout(CLOSING_MS)).catch(() => undefined);
        await transport.close();
      },
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** On the login node itself, what attempts leave behind is read where it lies. */
async function linkAttempts(
  { run, folder, transport, storage }: AttemptsElsewhereOptions,
  signal: AbortSignal,
): Promise<void> {
  const link = localRunFolder(folder, run).attempts;
  const there = siteRunFolder(storage, run).attempts;
  await transport.makeFolder(there, signal);
  mkdirSync(dirname(link), { recursive: true });
  try {
    if (link !== there) symlinkSync(there, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
