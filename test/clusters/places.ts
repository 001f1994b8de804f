/** Of which each is one's at a time. */
export class Places {
  readonly #free: string[];
  readonly #waiting: ((place: string) => void)[] = [];

  constructor(places: readonly string[]) {
    this.#free = [...places];
  }

  take(): Promise<string> {
    const place = this.#free.shift();
    if (place !== undefined) return Promise.resolve(place);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(place: string): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(place);
    else next(place);
  }
}
