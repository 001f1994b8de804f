/** Jobs that were handed over and have attempts that have not finished. */
export class OpenJobs {
  readonly #left = new Map<string, number>();
  readonly #jobOf = new Map<string, string>();

  get size(): number {
    return this.#left.size;
  }

  has(attempt: string): boolean {
    return this.#jobOf.has(attempt);
  }

  join(job: string, attempt: string): void {
    this.#left.set(job, (this.#left.get(job) ?? 0) + 1);
    this.#jobOf.set(attempt, job);
  }

  /** False when the attempt was in none of these jobs. */
  leave(attempt: string): boolean {
    const job = this.#jobOf.get(attempt);
    if (job === undefined) return false;
    this.#jobOf.delete(attempt);
    const left = (this.#left.get(job) ?? 1) - 1;
    if (left === 0) this.#left.delete(job);
    else this.#left.set(job, left);
    return true;
  }
}
