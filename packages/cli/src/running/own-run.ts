import type { Engine } from "@wf/engine";
import type { Store } from "@wf/store";
import type { RunView } from "../view/run-view.ts";

const LOOK_MS = 500;
const HEARTBEAT_MS = 5000;

/**
 * Makes this process the run's one owner: others may ask it to stop, through the store or by a signal. The first
 * wish lets what runs finish, the second ends it. Returns how to give the run up.
 */
export function ownRun(store: Store, run: string, engine: Engine, view: RunView): () => void {
  store.acquireLease(run);
  let isDraining = false;
  const drain = () => {
    isDraining = true;
    view.stopping("drain");
    engine.drain();
  };
  const cancel = () => {
    view.stopping("cancel");
    engine.cancel();
  };
  const onSignal = () => (isDraining ? cancel() : drain());
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  const beat = setInterval(() => store.heartbeat(run), HEARTBEAT_MS);
  const look = setInterval(() => {
    for (const request of store.takeRequests(run)) request.kind === "cancel" ? cancel() : drain();
  }, LOOK_MS);
  return () => {
    clearInterval(beat);
    clearInterval(look);
    for (const signal of signals) process.off(signal, onSignal);
    store.releaseLease(run);
  };
}
