import PQueue from "p-queue";
import { FollowingAbort } from "./on-abort.ts";

/** At most so many commands in any stretch of this length. */
export interface Budget {
  readonly commands: number;
  readonly everyMs: number;
}

export const USUAL_BUDGET: Budget = { commands: 600, everyMs: 60_000 };

/** Gives back a place of the queue. To call it twice is harmless. */
export type Release = () => void;

/**
 * Commands wait here for the budget, then for a place.
 * Law: a place is taken until it is given back, whatever becomes of the signal of who took it.
 */
export class CallQueue {
  readonly #budget: PQueue;
  readonly #places: PQueue;

  constructor(atOnce: number, { commands, everyMs }: Budget) {
    this.#budget = new PQueue({ intervalCap: commands, interval: everyMs, strict: true });
    this.#places = new PQueue({ concurrency: atOnce });
  }

  get waiting(): number {
    return this.#budget.size + this.#places.size;
  }

  get places(): number {
    return this.#places.concurrency;
  }

  set places(atOnce: number) {
    this.#places.concurrency = atOnce;
  }

  /** A place for a command, which the budget counts. */
  async take(signal: AbortSignal): Promise<Release> {
    const wait = new FollowingAbort(signal);
    try {
      await this.#budget.add(() => undefined, { signal: wait.signal });
    } finally {
      wait.letGo();
    }
    return await takePlace(this.#places, signal);
  }
}

/** A place in a queue, until it is given back. The signal ends only the wait for it. */
export async function takePlace(queue: PQueue, signal: AbortSignal): Promise<Release> {
  const wait = new FollowingAbort(signal);
  return await new Promise<Release>((resolve, reject) => {
    const hold = () =>
      new Promise<void>((release) => {
        wait.letGo();
        resolve(release);
      });
    queue.add(hold, { signal: wait.signal }).catch(reject);
  });
}
