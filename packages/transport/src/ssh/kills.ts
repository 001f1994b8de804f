import { onAbort } from "../on-abort.ts";
import type { Link } from "./connection.ts";
import { loginShellLine, startMark } from "./login-shell.ts";

export type KillSignal = "SIGTERM" | "SIGKILL";

const RETRY_MS = 200;

/**
 * Sends signals to processes at the far side, through a channel beside those of the queue: what has to end must not wait
 * for what hangs. Signals for many go together, so that it is never more than one channel.
 */
export class Kills {
  readonly #link: Link;
  readonly #waiting = new Set<string>();
  #isSending = false;

  constructor(link: Link) {
    this.#link = link;
    onAbort(link.lost, () => this.#waiting.clear());
  }

  /** A session is a process group of its own, with the number of the process that leads it. */
  send(pid: string, by: KillSignal): void {
    const name = by.slice("SIG".length);
    this.#waiting.add(`kill -s ${name} -- -${pid} || kill -s ${name} ${pid}`);
    this.#sendAll();
  }

  #sendAll(): void {
    if (this.#isSending || this.#waiting.size === 0 || this.#link.lost.aborted) return;
    this.#isSending = true;
    const kills = [...this.#waiting];
    this.#waiting.clear();
    const again = () => {
      this.#isSending = false;
      this.#sendAll();
    };
    const line = loginShellLine({ argv: ["sh", "-c", kills.join("\n")] }, "", startMark());
    try {
      this.#link.client.exec(line, (error, channel) => {
        if (error) {
          for (const kill of kills) this.#waiting.add(kill);
          setTimeout(again, RETRY_MS).unref();
          return;
        }
        channel.on("close", again).resume();
        channel.stderr.resume();
      });
    } catch {
      // The connection has gone, and with it the way to the processes.
    }
  }
}
