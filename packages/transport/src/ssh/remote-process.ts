import { WfError } from "@wf/protocol";
import type { ClientChannel } from "ssh2";
import type { Exit, Process } from "../command.ts";
import { onAbort } from "../on-abort.ts";
import { AfterMark } from "./after-mark.ts";
import type { Link } from "./connection.ts";
import type { KillSignal, Kills } from "./kills.ts";
import type { StartMark } from "./login-shell.ts";

const GRACE_MS = 2_000;

export interface RemotePlace {
  readonly link: Link;
  readonly kills: Kills;
  readonly place: string;
}

/** A process at the far side of a channel. `signal` ends it, as long as there is a connection to say so. */
export function remoteProcess(
  channel: ClientChannel,
  mark: StartMark,
  { link, kills, place }: RemotePlace,
  signal: AbortSignal,
): Process {
  let pid: string | undefined;
  let isOver = false;
  const awaited: KillSignal[] = [];
  const kill = (by: KillSignal) => {
    if (isOver) return;
    if (pid === undefined) awaited.push(by);
    else kills.send(pid, by);
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
      // A login shell that was killed before it ran anything is what a cut looks like from here.
      const isCut = code === undefined || (code === null && !stdout.isPassed);
      const ended = isCut ? undefined : { code, signal: by ?? null };
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

function neverStarted(place: string, { code }: Exit, chatter: string): WfError {
  return new WfError("WF_SSH_CHANNEL", `The login shell ended with ${code} before it ran the command: ${chatter}`, {
    where: place,
    hint: "Check that a plain command works: ssh to the machine with the command `true`, and look at your shell's start-up files.",
  });
}

function hungUp(place: string): WfError {
  return new WfError("WF_SSH_LOST", "The machine closed the channel before the command had ended", { where: place });
}
