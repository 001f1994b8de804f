import { setTimeout as delay } from "node:timers/promises";
import type { Transport } from "../transport.ts";

const PATIENCE_MS = 15_000;

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error("it did not come to hold");
    await delay(50);
  }
}

/** Whether the process lives whose number stands in a file of the place. */
export async function isAlive(transport: Transport, pidFile: string, signal: AbortSignal): Promise<boolean> {
  const pid = (await transport.readFile(pidFile, signal))?.toString().trim();
  if (!pid) return false;
  // What has ended may wait as a zombie for somebody to take note.
  const script = 'kill -0 "$1" && ! grep -q "^State:.Z" "/proc/$1/status"';
  return (await transport.run({ argv: ["sh", "-c", script, "sh", pid] }, signal)).code === 0;
}
