import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BackendHarness } from "./harness.ts";

/** A grandchild that has left its parent, its session and every polite signal behind. */
export function daemonThatBeats(harness: BackendHarness): string {
  const beat = `trap "" TERM HUP; while :; do echo >> "${join(harness.scratch, "beats")}"; sleep 0.03; done`;
  return `(setsid sh -c '${beat}' > /dev/null 2>&1 < /dev/null &)`;
}

export function isBeating(harness: BackendHarness): boolean {
  return existsSync(join(harness.scratch, "beats"));
}

export function heartbeats(harness: BackendHarness): number {
  return statSync(join(harness.scratch, "beats")).size;
}
