/** Work in the order in which it came up. A long chain of nodes that end at once must not become a deep recursion. */
export class Agenda {
  readonly #work: (() => void)[] = [];
  #isWorking = false;

  add(work: () => void): void {
    this.#work.push(work);
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let i = 0; i < this.#work.length; i++) (this.#work[i] as () => void)();
    this.#work.length = 0;
    this.#isWorking = false;
  }
}
