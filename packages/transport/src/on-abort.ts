import { setMaxListeners } from "node:events";

/** Calls `act` when a signal is aborted, or at once if it was. Gives back what ends this. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  // One signal may stand for a whole run, with any number of calls: that is no leak, as each takes its listener away.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}

/** What a promise gives, or the reason of the signal if that comes first. The work itself is not ended by this. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
    work.catch(() => undefined);
  }
}

/**
 * Is aborted when one of its sources is, until it lets go of them.
 * `AbortSignal.any` would leave a trace of every call on a signal that lives as long as a run.
 */
export class FollowingAbort extends AbortController {
  readonly #stops: (() => void)[];

  constructor(...sources: readonly AbortSignal[]) {
    super();
    this.#stops = sources.map((source) => onAbort(source, () => this.abort(source.reason)));
  }

  letGo(): void {
    for (const stop of this.#stops) stop();
  }
}
