import { WfError } from "@wf/core";
import type { ClientChannel } from "ssh2";
import type { Exit, Process } from "../command.ts";
import { onAbort } from "../on-abort.ts";
import { AfterMark } from "./after-mark.ts";
import type { Link } from "./connection.ts";
import { loginShellLine, type StartMark, startMark } from "./login-shell.ts";

const GRACE_MS = 2_000;

/** A process at the far side of a channel. `signal` ends it, as long as there is a connection to say so. */
export function remoteProcess(
  channel: ClientChannel,
  mark: StartMark,
  link: Link,
  place: string,
  signal: AbortSignal,
): Process {
  let pid: string | undefined;
  let isOver = false;
  const awaited: ("SIGTERM" | "SIGKILL")[] = [];
  const kill = (by: "SIGTERM" | "SIGKILL") => {
    if (isOver || link.lost.aborted) return;
    if (pid === undefined) awaited.push(by);
    else sendSignal(link, pid, by);
  };
  const stdout = new AfterMark(mark.text, (number) => {
    pid = number;
    for (const by of awaited) kill(by);
  });
  const stderr = new AfterMark(mark.text, () => undefined);
  channel.pipe(stdout);
  channel.stderr.pipe(stderr);

  const stop = () => {
    kill("SIGTERM");
    setTimeout(() => {
      kill("SIGKILL");
      channel.close();
    }, GRACE_MS).unref();
  };
  const exit = new Promise<Exit>((resolve, reject) => {
    const letGoOfLink = onAbort(link.lost, () => reject(link.lost.reason));
    channel.on("close", (code?: number | null, by?: string) => {
      isOver = true;
      const ended = code === undefined ? undefined : { code, signal: by ?? null };
      letGoOfLink();
      letGoOfSignal();
      if (ended && stdout.isPassed) resolve(ended);
      else if (ended) reject(neverStarted(place, ended, `${stdout.chatter}\n${stderr.chatter}`.trim()));
      else reject(link.lost.aborted ? link.lost.reason : hungUp(place));
    });
  });
  exit.catch(() => undefined);
  const letGoOfSignal = onAbort(signal, stop);
  return { stdin: channel, stdout, stderr, exit, kill };
}

/** Goes past the queue: what has to end must not wait for what hangs. A session is a group of its own. */
function sendSignal(link: Link, pid: string, by: "SIGTERM" | "SIGKILL"): void {
  const name = by.slice("SIG".length);
  const script = `kill -s ${name} -- -${pid} || kill -s ${name} ${pid}`;
  try {
    link.client.exec(loginShellLine({ argv: ["sh", "-c", script] }, "", startMark()), (error, channel) => {
      if (!error) channel.resume().stderr.resume();
    });
  } catch {
    // The connection has gone, and with it the way to the process.
  }
}

function neverStarted(place: string, { code }: Exit, chatter: string): WfError {
  return new WfError("WF_SSH_CHANNEL", `The login shell ended with ${code} before it ran the command: ${chatter}`, {
    where: place,
    hint: "Check that a plain command works: ssh to the machine with the command `true`, and look at your shell's start-up files.",
  });
}

function hungUp(place: string): WfError {
  return new WfError("WF_SSH_LOST", "The machine closed the channel before the command had ended", { where: place });
}
