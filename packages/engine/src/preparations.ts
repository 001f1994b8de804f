import type { PreparedRuntime, RuntimePreparer } from "@wf/backend";
import { canonical, type RuntimeWish } from "@wf/protocol";
import type { Fact } from "./fact.ts";
import type { Clock } from "./ports.ts";

/** The runtimes of a run: each is prepared once, when the first task that needs it is ready. */
export class Preparations {
  readonly #preparer: RuntimePreparer;
  readonly #clock: Clock;
  readonly #tell: (fact: Fact) => void;
  readonly #begun = new Map<string, Promise<PreparedRuntime>>();
  readonly #ofStage = new Map<string, PreparedRuntime>();

  constructor(preparer: RuntimePreparer, clock: Clock, tell: (fact: Fact) => void) {
    this.#preparer = preparer;
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Undefined for a stage that needs none, or whose runtime is not ready. */
  of(stage: string): PreparedRuntime | undefined {
    return this.#ofStage.get(stage);
  }

  async prepare(stage: string, wish: RuntimeWish, signal: AbortSignal): Promise<void> {
    const identity = canonical(wish);
    const begun = this.#begun.get(identity) ?? this.#begin(stage, wish, signal);
    this.#begun.set(identity, begun);
    this.#ofStage.set(stage, await begun);
  }

  async #begin(stage: string, wish: RuntimeWish, signal: AbortSignal): Promise<PreparedRuntime> {
    const begunAtMs = this.#clock.now();
    const { requirements } = wish;
    let runtime = await this.#preparer.find(wish, signal);
    const wasReady = runtime !== null;
    runtime ??= await this.#preparer.prepare(
      wish,
      ({ says, percent }) => this.#tell({ type: "runtime.preparing", stage, requirements, says, percent }),
      signal,
    );
    const { key, how, interpreter, python, packages } = runtime;
    const seconds = (this.#clock.now() - begunAtMs) / 1000;
    this.#tell({ type: "runtime.ready", stage, runtime: key, how, interpreter, python, packages, wasReady, seconds });
    return runtime;
  }
}
