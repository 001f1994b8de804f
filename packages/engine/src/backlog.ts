/**
 * How many jobs to hand over beyond those that can run now. A backend that starts jobs faster than the engine can
 * answer needs some in stock; but what is handed over can no longer be overtaken by something more urgent, so the
 * stock is worth about a quarter of a second of work.
 */
const STOCK_SECONDS = 0.25;
const MOST = 64;

export class Backlog {
  #meanSeconds: number | undefined;

  observe(seconds: number): void {
    this.#meanSeconds = this.#meanSeconds === undefined ? seconds : this.#meanSeconds * 0.9 + seconds * 0.1;
  }

  /** Jobs that may be in flight at once, when `slots` of them can run. */
  limit(slots: number, most: number): number {
    const stock =
      this.#meanSeconds === undefined ? slots : Math.ceil((STOCK_SECONDS / Math.max(this.#meanSeconds, 1e-3)) * slots);
    return Math.min(most, slots + Math.max(1, Math.min(stock, MOST)));
  }
}
