import { posix } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { siteRunFolder } from "@wf/protocol";
import type { Transport } from "@wf/transport";
import type { StoreIdentity } from "./store-identity.ts";

interface RunThere {
  readonly transport: Transport;
  readonly storage: string;
  readonly run: string;
}

/** As `leases.py` of the launcher has them. */
const LEASES = "leases";
const SWEEP = "sweep";
const SILENT_MS = 120_000;
const LOOK_MS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Says on a site whose run it is, and that an engine uses the storage from now on: who sweeps it goes by that. Waits
 * for a sweep that is under way, and says so once.
 */
export async function markOpen(
  there: RunThere,
  identity: StoreIdentity,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { transport, storage, run } = there;
  const whose = JSON.stringify(identity);
  await transport.writeFile({ path: siteRunFolder(storage, run).store, content: whose }, signal);
  for (let looks = 0; ; looks += 1) {
    await transport.writeFile({ path: leaseOf(there), content: whose }, signal);
    if (!(await isSwept(there, signal))) return;
    if (looks === 0) note("waiting for wf gc, which is removing from the site's storage what no run needs");
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/**
 * Law: the mark of a run that is under way is about a day old at most. Who sweeps takes one that is much older for that
 * of an engine that was killed and will never come back. Returns how to stop.
 */
export function keepMarked(there: RunThere, identity: StoreIdentity, everyMs = DAY_MS): () => Promise<void> {
  const life = new AbortController();
  const file = { path: leaseOf(there), content: JSON.stringify(identity) };
  let writing = Promise.resolve();
  // A site that does not answer now does so tomorrow.
  const beat = () => {
    writing = there.transport.writeFile(file, life.signal).catch(() => undefined);
  };
  const timer = setInterval(beat, everyMs).unref();
  return async () => {
    clearInterval(timer);
    life.abort();
    await writing;
  };
}

export async function markClosed(there: RunThere, signal: AbortSignal): Promise<void> {
  await there.transport.remove(leaseOf(there), signal);
}

/** Both times are the file server's: the lease of the run was written a moment ago. */
async function isSwept(there: RunThere, signal: AbortSignal): Promise<boolean> {
  const { transport, storage } = there;
  const sweep = await transport.stat(posix.join(storage, LEASES, SWEEP), signal);
  if (sweep === undefined) return false;
  const own = await transport.stat(leaseOf(there), signal);
  return own === undefined || own.modifiedMs - sweep.modifiedMs <= SILENT_MS;
}

function leaseOf({ storage, run }: RunThere): string {
  return posix.join(storage, LEASES, run);
}
