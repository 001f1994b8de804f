import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "@wf/backend";
import type { BackendHarness } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { createLocalBackend, type LocalBackend } from "../local-backend.ts";

/** A launcher that is left by a failed test is told to end its tasks and itself. */
const PATIENCE_MS = 30_000;

/** The real launcher on a storage of its own. */
export async function makeLocalHarness(): Promise<BackendHarness> {
  const root = mkdtempSync(join(tmpdir(), "wf-local-"));
  const storage = join(root, "storage");
  const scratch = join(root, "scratch");
  mkdirSync(scratch);
  const run = "r1";
  const capacity = { cpus: 2, memoryBytes: 2 ** 30, gpus: 0 };
  return {
    run,
    storage,
    scratch,
    capacity,
    create: () => createLocalBackend({ run, storage, capacity }),
    crash: async (backend: Backend) => (backend as LocalBackend).detach(),
    dispose: async () => {
      const areGone = until("the end of the launcher", () => launcherPids(storage).length === 0);
      await Promise.race([areGone, delay(PATIENCE_MS, undefined, { ref: false })]);
      for (const pid of launcherPids(storage)) process.kill(pid, "SIGTERM");
      await areGone;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Launchers that serve this storage, found by their command lines. */
export function launcherPids(storage: string, run?: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const words = commandLine(pid).split("\0");
      return words.includes("serve") && words.includes(storage) && (run === undefined || words.includes(run));
    })
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
