import { posix } from "node:path";
import type { Transport } from "@wf/transport";
import type { StoreIdentity } from "./store-identity.ts";

interface RunThere {
  readonly transport: Transport;
  readonly storage: string;
  readonly run: string;
}

/** Says on a site whose run it is, and that an engine works on it: who sweeps the site goes by that. */
export async function markOpen(
  { transport, storage, run }: RunThere,
  identity: StoreIdentity,
  signal: AbortSignal,
): Promise<void> {
  const folder = posix.join(storage, "runs", run);
  await transport.writeFile({ path: posix.join(folder, "store.json"), content: JSON.stringify(identity) }, signal);
  await transport.writeFile({ path: openMark(folder), content: "" }, signal);
}

export async function markClosed({ transport, storage, run }: RunThere, signal: AbortSignal): Promise<void> {
  await transport.remove(openMark(posix.join(storage, "runs", run)), signal);
}

function openMark(folder: string): string {
  return posix.join(folder, "open");
}
