import type { Engine } from "@wf/engine";
import type { Store } from "@wf/store";
import type { Logger } from "pino";

export interface OwnedRun {
  readonly store: Store;
  readonly run: string;
  readonly engine: Engine;
  readonly log: Logger;
}

const LOOK_MS = 500;
const HEARTBEAT_MS = 5000;

/**
 * Makes this process the run's one owner: others may ask it to stop, through the store or by a signal. The first
 * wish lets what runs finish, the second ends it. Returns how to give the run up.
 */
export function ownRun({ store, run, engine, log }: OwnedRun): () => void {
  store.acquireLease(run);
  let isDraining = false;
  const drain = () => {
    isDraining = true;
    log.info("run.draining");
    engine.drain();
  };
  const cancel = () => {
    log.info("run.cancelling");
    engine.cancel();
  };
  const onSignal = () => (isDraining ? cancel() : drain());
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  // A lost lease or a broken store ends the run here, before it does something that nobody can see.
  const every = (ms: number, work: () => void) =>
    setInterval(() => {
      try {
        work();
      } catch (error) {
        engine.giveUp(error);
      }
    }, ms);
  const beat = every(HEARTBEAT_MS, () => store.heartbeat(run));
  const look = every(LOOK_MS, () => {
    for (const request of store.takeRequests(run)) request.kind === "cancel" ? cancel() : drain();
  });
  return () => {
    clearInterval(beat);
    clearInterval(look);
    for (const signal of signals) process.off(signal, onSignal);
    store.releaseLease(run);
  };
}
