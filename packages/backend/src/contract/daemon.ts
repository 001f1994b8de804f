import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BackendHarness } from "./harness.ts";

/** A grandchild that has left its parent, its session and every polite signal behind. */
export function daemonThatBeats(harness: BackendHarness): string {
  const beat = `trap "" TERM HUP; while :; do echo >> "${join(harness.scratch, "beats")}"; sleep 0.03; done`;
  return `(setsid sh -c '${beat}' > /dev/null 2>&1 < /dev/null &)`;
}

/** Whether it has come so far that no polite signal ends it. */
export function isBeating(harness: BackendHarness): boolean {
  return existsSync(join(harness.scratch, "beats"));
}

/** The processes of the daemon that are alive, on whichever machine of this test they were started. */
export function beatingPids(harness: BackendHarness): readonly number[] {
  const beats = join(harness.scratch, "beats");
  return readdirSync("/proc")
    .filter(
      (name) => /^\d+$/.test(name) && commandLine(name).startsWith("sh\0-c\0trap") && commandLine(name).includes(beats),
    )
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
