/** Tasks that failed and wait before they are tried again. */
export class RestingTasks<T> {
  readonly #untilMs = new Map<T, number>();

  get size(): number {
    return this.#untilMs.size;
  }

  add(task: T, untilMs: number): void {
    this.#untilMs.set(task, untilMs);
  }

  /** Those that have rested enough. */
  wake(nowMs: number): T[] {
    const rested = [...this.#untilMs].filter(([, untilMs]) => untilMs <= nowMs).map(([task]) => task);
    for (const task of rested) this.#untilMs.delete(task);
    return rested;
  }

  nextWakeMs(): number | null {
    return this.#untilMs.size === 0 ? null : [...this.#untilMs.values()].reduce((a, b) => Math.min(a, b));
  }

  clear(): T[] {
    const all = [...this.#untilMs.keys()];
    this.#untilMs.clear();
    return all;
  }
}
