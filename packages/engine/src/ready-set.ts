/** Ready work by stage: the most urgent stage first, and within a stage the oldest. */
export class ReadySet<T> {
  readonly #queues = new Map<string, { readonly rank: number; readonly items: T[]; head: number }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(stage: string, rank: number, item: T): void {
    const queue = this.#queues.get(stage);
    if (queue) queue.items.push(item);
    else this.#queues.set(stage, { rank, items: [item], head: 0 });
    this.#size++;
  }

  /** The stages that have work, the most urgent first. */
  stages(): string[] {
    return [...this.#queues.entries()].sort(([, a], [, b]) => b.rank - a.rank).map(([stage]) => stage);
  }

  count(stage: string): number {
    const queue = this.#queues.get(stage);
    return queue ? queue.items.length - queue.head : 0;
  }

  take(stage: string, most: number): T[] {
    const queue = this.#queues.get(stage);
    if (!queue) return [];
    const taken = queue.items.slice(queue.head, queue.head + most);
    queue.head += taken.length;
    this.#size -= taken.length;
    if (queue.head === queue.items.length) this.#queues.delete(stage);
    return taken;
  }

  clear(): T[] {
    const all = [...this.#queues.values()].flatMap(({ items, head }) => items.slice(head));
    this.#queues.clear();
    this.#size = 0;
    return all;
  }
}
