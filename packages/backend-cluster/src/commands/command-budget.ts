export interface Budget {
  readonly commands: number;
  readonly perMs: number;
}

/**
 * Counts the commands of the scheduler, and says when the next one may start.
 * Law: in no stretch of time of the budget's length do more start than it allows.
 */
export class CommandBudget {
  readonly #budget: Budget;
  readonly #starts: number[] = [];
  readonly #counts = new Map<string, number>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** By the name of the command. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Books a command. Returns when it may start, which is not before now. */
  book(command: string, nowMs: number): number {
    const { commands, perMs } = this.#budget;
    const freed = this.#starts.length < commands ? nowMs : (this.#starts.shift() as number) + perMs;
    const startMs = Math.max(nowMs, freed, this.#starts.at(-1) ?? nowMs);
    this.#starts.push(startMs);
    this.#counts.set(command, (this.#counts.get(command) ?? 0) + 1);
    return startMs;
  }
}
