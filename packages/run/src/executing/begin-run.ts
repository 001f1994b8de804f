import { RunControl } from "./run-control.ts";
import type { RunEvent, RunSummary } from "./run-event.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** Begins the work after whoever called has had the time to follow it. */
export function beginRun(
  work: (control: RunControl, onEvent: (event: RunEvent) => void) => Promise<RunSummary>,
  signal: AbortSignal | undefined,
): RunInProgress {
  const control = new RunControl();
  const cancel = () => control.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const followers = new Set<Follower>();
  const begin = async () => {
    signal?.throwIfAborted();
    return await work(control, (event) => {
      for (const follower of followers) follower.add(event);
    });
  };
  const result = Promise.resolve()
    .then(begin)
    .finally(() => signal?.removeEventListener("abort", cancel));
  // Who only follows the events hears of it there.
  result.catch(() => undefined);
  return {
    result,
    drain: () => control.drain(),
    cancel,
    [Symbol.asyncIterator]() {
      const follower = new Follower();
      followers.add(follower);
      result.catch(() => undefined).finally(() => follower.end());
      return follow(follower, result, () => followers.delete(follower));
    },
  };
}

async function* follow(follower: Follower, result: Promise<unknown>, leave: () => void): AsyncGenerator<RunEvent> {
  try {
    yield* follower.events();
    await result;
  } finally {
    leave();
  }
}

class Follower {
  #waiting: RunEvent[] = [];
  #wake: () => void = () => undefined;
  #hasEnded = false;

  add(event: RunEvent): void {
    this.#waiting.push(event);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *events(): AsyncGenerator<RunEvent> {
    for (;;) {
      const events = this.#waiting;
      this.#waiting = [];
      yield* events;
      if (this.#waiting.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
