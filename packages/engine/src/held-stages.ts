import type { PlannedStage } from "@wf/planner";

interface Ready {
  count(stage: string): number;
}

/** Stages whose runtime is not ready. Their tasks are held back here, so that they take no place from what can run. */
export class HeldStages {
  readonly #held: Map<string, PlannedStage>;
  readonly #asked = new Set<string>();

  constructor(stages: ReadonlyMap<string, PlannedStage>) {
    this.#held = new Map([...stages].filter(([, { wish }]) => wish !== null));
  }

  has(stage: string): boolean {
    return this.#held.has(stage);
  }

  release(stage: string): void {
    this.#held.delete(stage);
  }

  /** How many ready tasks wait for a runtime. */
  waiting(ready: Ready): number {
    let waiting = 0;
    for (const stage of this.#held.keys()) waiting += ready.count(stage);
    return waiting;
  }

  /** The stages whose first task has become ready: each is named once. */
  ask(ready: Ready): PlannedStage[] {
    const wanted = [...this.#held].filter(([stage]) => !this.#asked.has(stage) && ready.count(stage) > 0);
    for (const [stage] of wanted) this.#asked.add(stage);
    return wanted.map(([, planned]) => planned);
  }
}
