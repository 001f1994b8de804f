import type { Engine } from "@wf/engine";
import type { Logger } from "pino";

/**
 * How a run is stopped: drained, so that what runs finishes and the run can be resumed, or cancelled. What is wanted
 * before the engine is there is done as soon as it is.
 */
export class RunControl {
  readonly #opening = new AbortController();
  #engine: Engine | undefined;
  #log: Logger | undefined;
  #wanted: "drain" | "cancel" | undefined;

  /** Ends the opening of a site that nobody waits for any more. */
  get opening(): AbortSignal {
    return this.#opening.signal;
  }

  get isCancelled(): boolean {
    return this.#wanted === "cancel";
  }

  drain(): void {
    this.#wanted ??= "drain";
    this.#log?.info("run.draining");
    this.#engine?.drain();
  }

  cancel(): void {
    this.#wanted = "cancel";
    this.#log?.info("run.cancelling");
    if (this.#engine === undefined) this.#opening.abort();
    this.#engine?.cancel();
  }

  /** A lost lease or a broken store ends the run here, before it does something that nobody can see. */
  giveUp(error: unknown): void {
    if (this.#engine === undefined) this.#opening.abort(error);
    this.#engine?.giveUp(error);
  }

  /** From now on, orders go to the engine. */
  steer(engine: Engine, log: Logger): void {
    this.#engine = engine;
    this.#log = log;
    if (this.#wanted === "cancel") this.cancel();
    else if (this.#wanted === "drain") this.drain();
  }
}
