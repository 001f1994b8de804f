import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, localRunFolder, WfError } from "@wf/protocol";
import type { Store } from "@wf/store";

const LOOK_MS = 100;

export interface DetachedRun {
  readonly pid: number;
  /** What a terminal would have shown. */
  readonly log: string;
}

/** How a run ends that had begun. */
const RUN_EXITS: ReadonlySet<number | null> = new Set([EXIT.ok, EXIT.runFailed, EXIT.cancelled]);

/**
 * Hands a stored run to a process of its own, which outlives this one and its terminal. Waits until it owns the run.
 * `words`: more options of `wf resume`.
 */
export async function detachRun(
  run: string,
  store: Store,
  projectRoot: string,
  words: readonly string[] = [],
): Promise<DetachedRun> {
  const { root, consoleLog: log } = localRunFolder(store.folder, run);
  mkdirSync(root, { recursive: true });
  const file = openSync(log, "a");
  const child = spawn(
    process.execPath,
    [
      ...[...process.execArgv, process.argv[1] as string, "resume", run, ...words],
      ...["--store", store.folder, "--plain", "--no-color"],
    ],
    { cwd: projectRoot, detached: true, stdio: ["ignore", file, file] },
  );
  closeSync(file);
  let exit: { readonly code: number | null } | undefined;
  child.once("exit", (code) => {
    exit = { code };
  });
  // An owner that was killed may still stand in the store.
  while (store.lease(run)?.pid !== child.pid && exit === undefined) await sleep(LOOK_MS);
  if (exit !== undefined && !RUN_EXITS.has(exit.code)) {
    throw new WfError("WF_RUN_NOT_STARTED", `the run ended before it began: ${lastLinesOf(log)}`, {
      where: log,
      hint: `see why with: wf resume ${run}`,
    });
  }
  child.unref();
  return { pid: child.pid as number, log };
}

function lastLinesOf(log: string): string {
  return readFileSync(log, "utf8").trim().split("\n").slice(-4).join("\n");
}
