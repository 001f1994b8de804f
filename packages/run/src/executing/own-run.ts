import { WfError } from "@wf/protocol";
import { type Store, thisProcess } from "@wf/store";
import type { RunControl } from "./run-control.ts";

const LOOK_MS = 500;
const HEARTBEAT_MS = 5000;

/**
 * Makes this process the run's one owner, from before its site is opened until after that is closed: others may ask it
 * through the store to stop. Returns how to give the run up.
 */
export function ownRun(store: Store, run: string, control: RunControl): () => void {
  refuseIfOwnedHere(store, run);
  store.acquireLease(run);
  const every = (ms: number, work: () => void) =>
    setInterval(() => {
      try {
        work();
      } catch (error) {
        control.giveUp(error);
      }
    }, ms);
  const beat = every(HEARTBEAT_MS, () => store.heartbeat(run));
  const look = every(LOOK_MS, () => {
    for (const request of store.takeRequests(run)) request.kind === "cancel" ? control.cancel() : control.drain();
  });
  return () => {
    clearInterval(beat);
    clearInterval(look);
    store.releaseLease(run);
  };
}

/** A lease is of a process, which may have more than one engine. */
function refuseIfOwnedHere(store: Store, run: string): void {
  const held = store.lease(run);
  const { pid, host } = thisProcess();
  if (held?.alive !== true || held.pid !== pid || held.host !== host) return;
  throw new WfError("WF_RUN_OWNED", `this process is running ${run} already`, {
    where: `run ${run}`,
    hint: "wait for the end of it, or cancel it, before you resume it",
  });
}
