/** First in, first out. What was taken is let go in large parts, so that taking stays cheap. */
export class Fifo<T> {
  readonly #items: T[] = [];
  #head = 0;

  add(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head++;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}
