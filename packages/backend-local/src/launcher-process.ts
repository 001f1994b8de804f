import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { localRunFolder, WfError } from "@wf/protocol";
import { withPatience } from "./with-patience.ts";

/** Recovery may have to wait for the processes of a dead launcher to be gone. */
const READY_TIMEOUT_MS = 120_000;
const EXIT_LOCK_HELD = 3;
/** What the launcher needs to start, and what it hands on to tasks. The rest of our environment stays here. */
const ENVIRONMENT = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH"];

export interface LauncherCommand {
  readonly python: string;
  /** The zipapp. */
  readonly launcher: string;
  readonly run: string;
  readonly storage: string;
  readonly socketPath: string;
}

/**
 * Starts a launcher in a session of its own, so that it outlives us and hears nothing of our terminal.
 * `busy`: another launcher of this run holds the lock. `killed`: somebody ended it before it was ready.
 */
export async function startLauncher(
  command: LauncherCommand,
  signal: AbortSignal,
): Promise<"ready" | "busy" | "killed"> {
  const { python, launcher, run, storage, socketPath } = command;
  if (!existsSync(launcher)) {
    throw new WfError("WF_LAUNCHER", "The launcher has not been built.", { where: launcher, hint: "Type: pnpm build" });
  }
  const { root, launcherLog: logPath } = localRunFolder(storage, run);
  mkdirSync(root, { recursive: true });
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(
    python,
    ["-I", "-S", launcher, "serve", "--run", run, "--storage", storage, "--socket", socketPath],
    { cwd: storage, detached: true, stdio: ["ignore", "pipe", log], env: launcherEnvironment() },
  );
  const stdout = child.stdout as Readable;
  closeSync(log);
  let isOver = false;
  try {
    const outcome = await withPatience(READY_TIMEOUT_MS, signal, (patience) => {
      patience.addEventListener("abort", () => (isOver = true));
      return Promise.race([
        once(stdout, "data", { signal: patience }).then(() => "ready" as const),
        once(child, "exit", { signal: patience }).then(([code, killer]) => ({ code, killer })),
      ]);
    });
    if (outcome === "ready") return "ready";
    if (outcome.code === EXIT_LOCK_HELD) return "busy";
    if (outcome.killer !== null) return "killed";
    throw new WfError("WF_LAUNCHER", `The launcher ended with status ${outcome.code}.${lastLines(logPath)}`, {
      where: logPath,
      hint: `Read ${logPath}.`,
    });
  } catch (error) {
    child.kill("SIGKILL");
    signal.throwIfAborted();
    if (error instanceof WfError) throw error;
    throw new WfError("WF_LAUNCHER", isOver ? "The launcher did not get ready." : "The launcher cannot be started.", {
      where: logPath,
      hint: `Try it by hand: ${python} ${launcher} --version`,
      cause: error,
    });
  } finally {
    stdout.destroy();
    child.unref();
  }
}

function launcherEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of ENVIRONMENT) if (process.env[name] !== undefined) environment[name] = process.env[name];
  return environment;
}

function lastLines(path: string): string {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").slice(-5);
  return lines.join("") === "" ? "" : `\n${lines.join("\n")}`;
}
