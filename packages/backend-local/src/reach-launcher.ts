import { setTimeout as delay } from "node:timers/promises";
import type { Capacity } from "@wf/backend";
import { localRunFolder, WfError } from "@wf/protocol";
import { type ConnectionHandlers, LauncherConnection } from "./launcher-connection.ts";
import { type LauncherCommand, startLauncher } from "./launcher-process.ts";

const BUSY_TIMEOUT_MS = 60_000;
const BUSY_PAUSE_MS = 25;
const MOST_KILLS = 3;

/** Where a run's launcher is, and how to start one where there is none. */
export interface LauncherPlace extends Omit<LauncherCommand, "python"> {
  readonly capacity: Capacity;
  readonly findPython: (signal: AbortSignal) => Promise<string>;
}

/**
 * Connects to the run's launcher, alive since an earlier engine or started now. There may be one that holds the lock
 * and does not listen: it is still starting, or already leaving. Both pass.
 */
export async function reachLauncher(
  place: LauncherPlace,
  handlers: ConnectionHandlers,
  signal: AbortSignal,
): Promise<LauncherConnection> {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  let kills = 0;
  while (Date.now() < deadline && kills < MOST_KILLS) {
    signal.throwIfAborted();
    const connection = await LauncherConnection.open(place.socketPath, place.capacity, handlers, signal);
    if (connection !== null) return connection;
    const python = await place.findPython(signal);
    const outcome = await startLauncher({ ...place, python }, signal);
    if (outcome === "busy") await delay(BUSY_PAUSE_MS, undefined, { signal });
    if (outcome === "killed") kills += 1;
  }
  const folder = localRunFolder(place.storage, place.run);
  if (kills === MOST_KILLS) {
    throw new WfError("WF_LAUNCHER", "The launcher is killed whenever it is started.", {
      where: folder.launcherLog,
      hint: "Look for the kernel's memory killer: dmesg | grep -i kill",
    });
  }
  throw new WfError("WF_LAUNCHER", "A launcher holds this run's lock, but does not listen on its socket.", {
    where: place.socketPath,
    hint: `Its tasks may still run. See who holds the lock: fuser ${folder.launcherLock}`,
  });
}
