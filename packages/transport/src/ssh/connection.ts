import { setTimeout as delay } from "node:timers/promises";
import { WfError } from "@wf/protocol";
import PQueue from "p-queue";
import type { Client } from "ssh2";
import { unlessAborted } from "../on-abort.ts";
import { steadyNow } from "../steady-now.ts";
import { type BackOff, backOffMs } from "./back-off.ts";
import type { LoginContext } from "./log-in.ts";
import { findRoute, type OpenRoute, openRoute, type Route } from "./route.ts";

/** What happens to the connection, for logs and for who waits. */
export type ConnectionEvent =
  | { readonly type: "connected"; readonly to: string }
  | { readonly type: "lost"; readonly to: string; readonly reason: string }
  | { readonly type: "waiting"; readonly to: string; readonly delayMs: number; readonly reason: string };

export interface ConnectionOptions extends Omit<LoginContext, "signal"> {
  readonly destination: string;
  readonly configFile: string | undefined;
  readonly backOff: BackOff;
  /** How long a connection that was lost is tried again. */
  readonly patienceMs: number;
  /** A connection that lived as long counts as a good one. */
  readonly stableMs: number;
  readonly attemptsPerMinute: number;
  readonly onEvent: (event: ConnectionEvent) => void;
}

/** A connection that is open. `lost` is aborted with the error to report when it no longer is. */
export interface Link {
  readonly client: Client;
  readonly lost: AbortSignal;
}

/**
 * The one connection to a site.
 * Laws: many callers share one; the first connection is tried once, so that a mistake is seen at once; one that was lost
 * is tried again, with growing pauses; there are never more attempts a minute than allowed; who was refused once is not
 * let to try again, since that is what gets addresses banned.
 */
export class SshConnection {
  readonly #options: ConnectionOptions;
  readonly #life = new AbortController();
  readonly #attempts: PQueue;
  #route: Route | undefined;
  #open: OpenRoute | undefined;
  #link: Link | undefined;
  #connecting: Promise<Link> | undefined;
  #refusal: WfError | undefined;
  #failures = 0;
  #connectionCount = 0;
  #attemptCount = 0;
  #pastSentBytes = 0;
  #pastReceivedBytes = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#attempts = new PQueue({
      concurrency: 1,
      intervalCap: options.attemptsPerMinute,
      interval: 60_000,
      strict: true,
    });
  }

  get counts(): { connections: number; connectionAttempts: number; sentBytes: number; receivedBytes: number } {
    return {
      connections: this.#connectionCount,
      connectionAttempts: this.#attemptCount,
      sentBytes: this.#pastSentBytes + (this.#open?.wire.sentBytes() ?? 0),
      receivedBytes: this.#pastReceivedBytes + (this.#open?.wire.receivedBytes() ?? 0),
    };
  }

  async link(signal: AbortSignal): Promise<Link> {
    if (this.#refusal) throw this.#refusal;
    if (this.#link) return this.#link;
    this.#life.signal.throwIfAborted();
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return await unlessAborted(this.#connecting, signal);
  }

  close(): void {
    this.#life.abort(new WfError("WF_SSH_LOST", "The connection was closed", { where: this.#options.destination }));
    this.#open?.close();
  }

  async #connect(): Promise<Link> {
    const { destination, backOff, patienceMs, onEvent } = this.#options;
    const giveUpAt = steadyNow() + patienceMs;
    let reason = "it was lost";
    for (;;) {
      const delayMs = backOffMs(this.#failures, backOff, Math.random);
      if (delayMs > 0) onEvent({ type: "waiting", to: destination, delayMs, reason });
      await delay(delayMs, undefined, { signal: this.#life.signal }).catch(() => this.#life.signal.throwIfAborted());
      try {
        return await this.#attempts.add(() => this.#connectOnce(), { signal: this.#life.signal });
      } catch (error) {
        if (!(error instanceof WfError)) throw error;
        if (error.code !== "WF_SSH_UNREACHABLE") {
          this.#refusal = error;
          throw error;
        }
        if (this.#connectionCount === 0 || steadyNow() >= giveUpAt) throw error;
        this.#failures += 1;
        reason = error.message;
      }
    }
  }

  async #connectOnce(): Promise<Link> {
    const { destination, configFile, onEvent } = this.#options;
    const { signal } = this.#life;
    this.#route ??= await findRoute(destination, configFile, signal);
    this.#attemptCount += 1;
    const open = await openRoute(this.#route, { ...this.#options, signal });
    const lost = new AbortController();
    const link: Link = { client: open.client, lost: lost.signal };
    const since = steadyNow();
    let cause: Error | undefined;
    open.client
      .on("error", (error) => {
        cause = error;
      })
      .on("close", () => {
        if (this.#link === link) this.#forget(open);
        this.#failures = steadyNow() - since >= this.#options.stableMs ? 0 : this.#failures + 1;
        const reason = cause?.message ?? "the machine hung up";
        lost.abort(signal.aborted ? signal.reason : this.#lostError(reason));
        if (!signal.aborted) onEvent({ type: "lost", to: destination, reason });
      });
    this.#connectionCount += 1;
    this.#open = open;
    this.#link = link;
    onEvent({ type: "connected", to: destination });
    return link;
  }

  #forget(open: OpenRoute): void {
    this.#pastSentBytes += open.wire.sentBytes();
    this.#pastReceivedBytes += open.wire.receivedBytes();
    this.#link = undefined;
    this.#open = undefined;
    open.close();
  }

  #lostError(reason: string): WfError {
    return new WfError("WF_SSH_LOST", `The connection was cut: ${reason}`, {
      where: this.#options.destination,
      hint: "Nothing is lost: go on with `wf resume`.",
    });
  }
}
