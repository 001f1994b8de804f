import type { TaskEnd } from "@wf/engine";

/** The counters of one stage. */
export class StageProgress {
  readonly name: string;
  /** How many tasks the plan says; null while nobody knows. */
  planned: number | null = null;
  waiting = 0;
  running = 0;
  retries = 0;
  readonly ends: Record<TaskEnd, number> = { done: 0, cached: 0, failed: 0, skipped: 0, cancelled: 0 };
  /** The run is over: what waits will not start. */
  isOver = false;
  /** Seconds of the attempt that finished last. */
  lastSeconds: number | undefined;
  #grown = 0;
  #attempts = 0;
  #seconds = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** An expansion made `count` tasks more; `isOnly`: there will be no other. */
  grow(count: number, isOnly: boolean): void {
    this.#grown += count;
    if (isOnly) this.planned = this.#grown;
  }

  /** How far it grows, and what of it is not run, will be told again. */
  rewind(): void {
    this.#grown = 0;
    this.ends.skipped = 0;
  }

  countAttempts(count: number, meanSeconds: number): void {
    this.lastSeconds = meanSeconds;
    this.#attempts += count;
    this.#seconds += count * meanSeconds;
  }

  /** `isWhole`: the run has succeeded, so that nothing is missing; otherwise more would have come. */
  settle(isWhole: boolean): void {
    if (isWhole) this.planned ??= this.total;
    this.isOver = true;
  }

  countRetry(): void {
    this.retries += 1;
  }

  get ended(): number {
    const { done, cached, failed, skipped, cancelled } = this.ends;
    return done + cached + failed + skipped + cancelled;
  }

  /** Ended without a result: because of another failure, or because the run was cancelled. */
  get notRun(): number {
    return this.ends.skipped + this.ends.cancelled;
  }

  get seen(): number {
    return this.ended + this.waiting + this.running;
  }

  /** As far as it is known. */
  get total(): number {
    return Math.max(this.planned ?? 0, this.#grown, this.seen);
  }

  /** More tasks may come than the total says. */
  get isGrowing(): boolean {
    return this.planned === null;
  }

  get isComplete(): boolean {
    return this.ended >= this.total && (this.total > 0 || this.planned === 0);
  }

  /** Seconds of an attempt; undefined before the first has finished. */
  get meanSeconds(): number | undefined {
    return this.#attempts === 0 ? undefined : this.#seconds / this.#attempts;
  }
}
