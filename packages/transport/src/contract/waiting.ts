import type { Transport } from "../transport.ts";

/** Whether the process lives whose number stands in a file of the place. */
export async function isAlive(transport: Transport, pidFile: string, signal: AbortSignal): Promise<boolean> {
  const pid = (await transport.readFile(pidFile, signal))?.toString().trim();
  if (!pid) return false;
  // What has ended may wait as a zombie for somebody to take note.
  const script = 'kill -0 "$1" && ! grep -q "^State:.Z" "/proc/$1/status"';
  return (await transport.run({ argv: ["sh", "-c", script, "sh", pid] }, signal)).code === 0;
}
