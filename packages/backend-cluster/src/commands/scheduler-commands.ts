import { setTimeout as delay } from "node:timers/promises";
import type { RunResult } from "@wf/transport";
import { CommandBudget } from "./command-budget.ts";

export type RunOnLoginNode = (argv: readonly [string, ...string[]], signal: AbortSignal) => Promise<RunResult>;

/** The scheduler's commands, counted and within the site's budget. */
export class SchedulerCommands {
  readonly #run: RunOnLoginNode;
  readonly #budget: CommandBudget;

  constructor(run: RunOnLoginNode, budget: { readonly commands: number; readonly per: number }) {
    this.#run = run;
    this.#budget = new CommandBudget({ commands: budget.commands, perMs: budget.per * 1000 });
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#budget.counts;
  }

  async run(argv: readonly [string, ...string[]], signal: AbortSignal): Promise<RunResult> {
    await this.waitFor(argv[0], signal);
    return await this.#run(argv, signal);
  }

  /** Counts a command, and waits until the budget allows it. */
  async waitFor(command: string, signal: AbortSignal): Promise<void> {
    const nowMs = Date.now();
    const startMs = this.#budget.book(command, nowMs);
    if (startMs > nowMs) await delay(startMs - nowMs, undefined, { signal });
  }

  /** Counts what the site ran by itself; `expected` was counted before it was asked. */
  noteRun(commands: Readonly<Record<string, number>>, expected?: string): void {
    for (const [command, times] of Object.entries(commands)) {
      for (let i = command === expected ? 1 : 0; i < times; i++) this.#budget.book(command, Date.now());
    }
  }
}
