import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { PassThrough } from "node:stream";
import { WfError } from "@wf/protocol";
import type { Command, Exit, Process } from "../command.ts";
import { onAbort } from "../on-abort.ts";
import { showCommand } from "../run-to-end.ts";

const GRACE_MS = 2_000;
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

/** Starts a process of this machine in a group of its own, so that its end is the end of what it started. */
export async function startLocalProcess(command: Command, signal: AbortSignal): Promise<Process> {
  signal.throwIfAborted();
  const { argv, cwd, env } = command;
  if (cwd !== undefined && !existsSync(cwd)) return neverStarted(CANNOT_RUN, `cannot enter ${cwd}: it does not exist`);
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: true, stdio: "pipe" });
  let isOver = false;
  const ended = new Promise<Exit>((resolve) =>
    child.once("close", (code, by) => {
      isOver = true;
      resolve({ code, signal: by });
    }),
  );
  try {
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return neverStarted(NOT_FOUND, `${program}: not found`);
    if (code === "EACCES") return neverStarted(CANNOT_RUN, `${program}: permission denied`);
    throw new WfError("WF_SITE_COMMAND", `A command cannot be started: ${message}`, {
      where: showCommand(command),
      cause: error,
    });
  }
  child.on("error", () => undefined);
  // As long as somebody of the group holds an output, its number is not another's.
  const kill = (by: "SIGTERM" | "SIGKILL") => {
    if (!isOver) killGroup(child.pid, by);
  };
  const stop = () => {
    kill("SIGTERM");
    setTimeout(() => kill("SIGKILL"), GRACE_MS).unref();
  };
  const exit = ended.finally(onAbort(signal, stop));
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exit, kill };
}

function killGroup(pid: number | undefined, by: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, by);
  } catch {
    // It has ended meanwhile.
  }
}

/** As a shell tells it, so that both transports say the same. */
function neverStarted(code: number, why: string): Process {
  const stdin = new PassThrough().resume();
  const stdout = new PassThrough().end();
  const stderr = new PassThrough().end(`${why}\n`);
  return { stdin, stdout, stderr, exit: Promise.resolve({ code, signal: null }), kill: () => undefined };
}
