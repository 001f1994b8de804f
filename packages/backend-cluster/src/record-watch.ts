import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { ToldRecord } from "@wf/backend";
import { isConnectionLost, type Process } from "@wf/transport";
import { z } from "zod";
import type { LogNews } from "./batch-system.ts";

const Told = z.union([
  z.object({ watching: z.literal(true) }),
  z.object({ attempt: z.string(), started: z.unknown() }),
  z.object({ attempt: z.string(), record: z.unknown() }),
  z.object({ attempt: z.string(), unreadable: z.string() }),
  z.object({ events: z.string() }),
  z.object({ eventsLost: z.literal(true) }),
]);

/** The sign that a launcher leaves. It proves nothing: one that is not understood is passed over. */
const StartMarker = z.object({
  startedAt: z.number(),
  /** The one that runs it. */
  pilot: z.string().optional(),
});

export interface RecordWatchHandlers {
  /** `pilot` names the one that runs it, where one does. */
  onStarted(attempt: string, startedAt: number, pilot: string | undefined): void;
  onRecord(attempt: string, told: ToldRecord): void;
  onLog(news: LogNews): void;
  /** The watcher cannot be had. */
  onBroken(error: unknown): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Hears of attempts from one watcher on the site. A watcher that ends, or whose connection was cut, is started again, and
 * told anew what to watch: it begins with what is there already, so nothing is missed.
 */
export class RecordWatch {
  readonly #open: (signal: AbortSignal) => Promise<Process>;
  readonly #handlers: RecordWatchHandlers;
  readonly #watched = new Set<string>();
  #process: Process | null = null;

  constructor(open: (signal: AbortSignal) => Promise<Process>, handlers: RecordWatchHandlers) {
    this.#open = open;
    this.#handlers = handlers;
  }

  watch(attempts: readonly string[]): void {
    for (const attempt of attempts) this.#watched.add(attempt);
    this.#say({ watch: attempts });
  }

  /** Goes on until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#listen(() => {
          pauseMs = FIRST_PAUSE_MS;
        }, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!isConnectionLost(error)) {
          this.#handlers.onBroken(error);
          return;
        }
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  async #listen(onLife: () => void, signal: AbortSignal): Promise<void> {
    const process = await this.#open(signal);
    process.stderr.resume();
    process.stdin.on("error", () => undefined);
    this.#process = process;
    this.#say({ watch: [...this.#watched] });
    try {
      for await (const line of createInterface({ input: process.stdout })) {
        if (signal.aborted) return;
        onLife();
        this.#hear(Told.parse(JSON.parse(line)));
      }
      await process.exit;
    } finally {
      this.#process = null;
      process.kill("SIGTERM");
    }
  }

  #hear(told: z.infer<typeof Told>): void {
    if ("started" in told) {
      const marker = StartMarker.safeParse(told.started);
      if (marker.success) this.#handlers.onStarted(told.attempt, marker.data.startedAt, marker.data.pilot);
    }
    if ("record" in told || "unreadable" in told) {
      this.#watched.delete(told.attempt);
      this.#handlers.onRecord(told.attempt, "record" in told ? { document: told.record } : told);
    }
    if ("events" in told) this.#handlers.onLog(told);
    if ("eventsLost" in told) this.#handlers.onLog({ areEventsLost: true });
  }

  #say(command: object): void {
    this.#process?.stdin.write(`${JSON.stringify(command)}\n`);
  }
}
