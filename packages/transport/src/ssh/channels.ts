import { setTimeout as delay } from "node:timers/promises";
import { WfError } from "@wf/protocol";
import PQueue from "p-queue";
import type { ClientChannel, SFTPWrapper } from "ssh2";
import { type Budget, CallQueue, takePlace } from "../call-queue.ts";
import type { Command, Process } from "../command.ts";
import { onAbort, unlessAborted } from "../on-abort.ts";
import type { Link, SshConnection } from "./connection.ts";
import { Kills } from "./kills.ts";
import { loginShellLine, startMark } from "./login-shell.ts";
import { remoteProcess } from "./remote-process.ts";

type Opened<C> = (error: Error | undefined, channel: C) => void;

/** One for files, one for commands that end, one for those that do not. */
export const FEWEST_CHANNELS = 3;
/**
 * sshd notices a moment late that a channel has closed, and refuses a new one meanwhile. After so many times in a row,
 * with growing pauses, it means it.
 */
const REFUSALS_BELIEVED = 7;
const LONGEST_PAUSE_MS = 500;

export interface ChannelOptions {
  readonly place: string;
  /** The most channels at once. A server usually allows ten. */
  readonly channels: number;
  readonly budget: Budget;
  readonly prelude: string;
}

/**
 * The channels of a connection: one for files, the others for commands.
 * Laws: never more than allowed, but for one that ends others; long-lived commands leave at least one for the others; a server that allows fewer is
 * believed.
 */
export class Channels {
  readonly #connection: SshConnection;
  readonly #options: ChannelOptions;
  readonly #queue: CallQueue;
  readonly #longLived: PQueue;
  readonly #kills = new WeakMap<Link, Kills>();
  #open = 0;
  #peak = 0;
  #commands = 0;

  constructor(connection: SshConnection, options: ChannelOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#queue = new CallQueue(options.channels - 1, options.budget);
    this.#longLived = new PQueue({ concurrency: options.channels - 2 });
  }

  get counts(): { channelsOpen: number; channelsPeak: number; commands: number; commandsWaiting: number } {
    return {
      channelsOpen: this.#open,
      channelsPeak: this.#peak,
      commands: this.#commands,
      commandsWaiting: this.#queue.waiting + this.#longLived.size,
    };
  }

  /** For a command that ends by itself. */
  async start(command: Command, signal: AbortSignal): Promise<Process> {
    const release = await this.#queue.take(signal);
    try {
      const process = await this.#start(command, signal);
      process.exit.then(release, release);
      return process;
    } catch (error) {
      release();
      throw error;
    }
  }

  async startLongLived(command: Command, signal: AbortSignal): Promise<Process> {
    const release = await takePlace(this.#longLived, signal);
    try {
      const process = await this.start(command, signal);
      process.exit.then(release, release);
      return process;
    } catch (error) {
      release();
      throw error;
    }
  }

  async openSftp(link: Link, signal: AbortSignal): Promise<SFTPWrapper> {
    const ask = (done: Opened<SFTPWrapper>) => link.client.sftp(done);
    return await this.#openChannel(link, signal, ask, (sftp) => sftp).catch((error) => {
      throw error instanceof NeverSent ? link.lost.reason : error;
    });
  }

  async #start(command: Command, signal: AbortSignal): Promise<Process> {
    const mark = startMark();
    const line = loginShellLine(command, this.#options.prelude, mark);
    for (;;) {
      const link = await this.#connection.link(signal);
      const ask = (done: Opened<ClientChannel>) => link.client.exec(line, done);
      const place = { link, kills: this.#killsOf(link), place: this.#options.place };
      const become = (channel: ClientChannel) => remoteProcess(channel, mark, place, signal);
      try {
        const process = await this.#openChannel(link, signal, ask, become);
        this.#commands += 1;
        return process;
      } catch (error) {
        if (!(error instanceof NeverSent)) throw error;
      }
    }
  }

  #killsOf(link: Link): Kills {
    const known = this.#kills.get(link);
    if (known) return known;
    const kills = new Kills(link);
    this.#kills.set(link, kills);
    return kills;
  }

  /** What a channel becomes, it becomes at once: all that it has to say may have arrived in the same moment. */
  async #openChannel<C extends ClientChannel | SFTPWrapper, T>(
    link: Link,
    signal: AbortSignal,
    ask: (done: Opened<C>) => unknown,
    become: (channel: C) => T,
  ): Promise<T> {
    for (let refusals = 1; ; refusals += 1) {
      link.lost.throwIfAborted();
      signal.throwIfAborted();
      this.#open += 1;
      this.#peak = Math.max(this.#peak, this.#open);
      try {
        return await new Promise<T>((resolve, reject) => {
          ask((error, channel) => {
            if (error) return reject(error);
            this.#countDownOn(channel, link);
            resolve(become(channel));
          });
        });
      } catch (error) {
        this.#open -= 1;
        if (isNeverSent(error)) {
          await goneFor(link);
          throw new NeverSent(link.lost.reason);
        }
        link.lost.throwIfAborted();
        if (!isRefusedChannel(error)) throw this.#unusable(error);
        if (refusals > REFUSALS_BELIEVED) this.#makeDoWithFewer(error);
        await unlessAborted(delay(Math.min(10 * 2 ** refusals, LONGEST_PAUSE_MS)), signal);
      }
    }
  }

  #countDownOn(channel: ClientChannel | SFTPWrapper, link: Link): void {
    let letGo = () => {};
    let isClosed = false;
    const down = () => {
      if (isClosed) return;
      isClosed = true;
      this.#open -= 1;
      letGo();
    };
    channel.on("close", down);
    letGo = onAbort(link.lost, down);
  }

  /** The server allows no more channels than are open now: never ask for more again. */
  #makeDoWithFewer(error: Error): void {
    const forCommands = this.#open - 1;
    if (forCommands <= this.#longLived.pending) throw this.#tooFew(error);
    this.#queue.places = Math.min(this.#queue.places, forCommands);
  }

  #tooFew(cause: Error): WfError {
    return new WfError(
      "WF_SSH_CHANNEL",
      `The server allows only ${this.#open} sessions a connection, all of them in use`,
      {
        where: this.#options.place,
        hint: "wf needs two, and one for each process that stays. Ask the owner of the machine for a higher MaxSessions of its sshd.",
        cause,
      },
    );
  }

  #unusable(cause: unknown): WfError {
    const message = cause instanceof Error ? cause.message : String(cause);
    return new WfError("WF_SSH_CHANNEL", `The server runs no commands or serves no files: ${message}`, {
      where: this.#options.place,
      hint: "Both must work: sftp to the machine, and ssh to it with the command `true`. Start-up files of your shell must print nothing.",
      cause,
    });
  }
}

/** The connection was gone before a channel was open, so the server has not seen what was to be done in it. */
class NeverSent extends Error {
  constructor(cause: unknown) {
    super("the connection was cut before anything was asked", { cause });
  }
}

/** How ssh2 tells that a channel was asked for and nobody answered, or that there was nobody left to ask. */
function isNeverSent(error: unknown): boolean {
  return error instanceof Error && (error.message === "No response from server" || error.message === "Not connected");
}

async function goneFor(link: Link): Promise<void> {
  await new Promise<void>((resolve) => onAbort(link.lost, resolve));
}

/** ssh2 gives the reason of the server along with a channel that was not opened. */
function isRefusedChannel(error: unknown): error is Error {
  return error instanceof Error && "reason" in error && error.message.includes("Channel open failure");
}
