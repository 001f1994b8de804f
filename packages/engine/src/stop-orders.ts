import type { RunEvent } from "./effects.ts";
import type { LiveTask } from "./live-task.ts";
import { IN_FLIGHT_STATES } from "./task-life.ts";

/** What a run has under way. */
interface UnderWay {
  live(): Iterable<Pick<LiveTask, "attempt" | "isAdopted" | "state">>;
  /** Attempts that an earlier engine left behind and this one has not come to. */
  adopted(): readonly string[];
  isInJob(attempt: string): boolean;
}

/** Whether the run has been told to stop, and what has to be cancelled for that. */
export class StopOrders {
  /** Attempts that somebody has to release before they run. */
  readonly #held = new Set<string>();
  #isDraining = false;
  #isCancelling = false;

  /** Nothing more is handed over. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** What runs is ended as well. */
  get isCancelling(): boolean {
    return this.#isCancelling;
  }

  take(event: RunEvent & { type: "held" | "released" | "drain" | "cancel" }): void {
    switch (event.type) {
      case "held":
        for (const attempt of event.attempts) this.#held.add(attempt);
        break;
      case "released":
        for (const attempt of event.attempts) this.#held.delete(attempt);
        break;
      case "drain":
        this.#isDraining = true;
        break;
      case "cancel":
        this.#isDraining = true;
        this.#isCancelling = true;
        break;
    }
  }

  /** Nobody waits for its release any more. */
  forget(attempt: string): void {
    this.#held.delete(attempt);
  }

  /** What these events, which were taken, cancel. */
  toCancel(events: readonly RunEvent[], underWay: UnderWay): string[] {
    const asked = (type: RunEvent["type"]) => events.some((event) => event.type === type);
    if (asked("cancel")) return all(underWay);
    if (asked("drain")) return this.#notRunning(underWay);
    return this.#isDraining ? heldBy(events, underWay) : [];
  }

  /** What waits in the backend's stock, or is held: draining takes it back. An adopted attempt may run, so it stays. */
  #notRunning({ live, isInJob }: UnderWay): string[] {
    return [...live()]
      .filter(({ state, isAdopted, attempt }) => {
        const isWaiting = state.name === "submitted" && !isAdopted && isInJob(attempt);
        return isWaiting || this.#held.has(attempt);
      })
      .map(({ attempt }) => attempt);
  }
}

/** What runs or waits somewhere. */
function all({ live, adopted }: UnderWay): string[] {
  const inFlight = [...live()].filter(({ state }) => IN_FLIGHT_STATES.has(state.name));
  return [...inFlight.map(({ attempt }) => attempt), ...adopted()];
}

function heldBy(events: readonly RunEvent[], { isInJob }: UnderWay): string[] {
  return events.flatMap((event) => (event.type === "held" ? event.attempts.filter(isInJob) : []));
}
