import { setTimeout as delay } from "node:timers/promises";
import { type RunResult, steadyNow } from "@wf/transport";
import { CommandBudget } from "./command-budget.ts";

export type RunOnLoginNode = (argv: readonly [string, ...string[]], signal: AbortSignal) => Promise<RunResult>;

/** What the commands of SLURM and HTCondor print where nobody is there, or nobody answers in time. */
const NO_ANSWER =
  /Unable to (contact|locate)|Socket timed out|timed out|Zero Bytes|Connection refused|connection failure|Failed to (connect|fetch)|Can't (find address|connect)|unreachable|did not answer/i;

/** The scheduler's commands, counted and within the site's budget. */
export class SchedulerCommands {
  readonly #run: RunOnLoginNode;
  readonly #budget: CommandBudget;
  #silence: { readonly at: number; readonly why: string } | null = null;

  constructor(run: RunOnLoginNode, budget: { readonly commands: number; readonly per: number }) {
    this.#run = run;
    this.#budget = new CommandBudget({ commands: budget.commands, perMs: budget.per * 1000 });
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#budget.counts;
  }

  async run(argv: readonly [string, ...string[]], signal: AbortSignal): Promise<RunResult> {
    await this.waitFor(argv[0], signal);
    const result = await this.#run(argv, signal);
    this.noteAnswer(result);
    return result;
  }

  /** Since when the scheduler does not answer, in Unix seconds; null while it does. */
  get silence(): { readonly at: number; readonly why: string } | null {
    return this.#silence;
  }

  /** A command that fails for another reason was answered, too. */
  noteAnswer({ code, stderr }: { readonly code: number | null; readonly stderr: string }): void {
    const isSilent = code === null || (code !== 0 && NO_ANSWER.test(stderr));
    const why = stderr.trim().split("\n").at(-1) || "no answer";
    this.#silence = isSilent ? { at: this.#silence?.at ?? Date.now() / 1000, why } : null;
  }

  /** Counts a command, and waits until the budget allows it. */
  async waitFor(command: string, signal: AbortSignal): Promise<void> {
    const nowMs = steadyNow();
    const startMs = this.#budget.book(command, nowMs);
    if (startMs > nowMs) await delay(startMs - nowMs, undefined, { signal });
  }

  /** Counts what the site ran by itself; `expected` was counted before it was asked. */
  noteRun(commands: Readonly<Record<string, number>>, expected?: string): void {
    for (const [command, times] of Object.entries(commands)) {
      for (let i = command === expected ? 1 : 0; i < times; i++) this.#budget.book(command, steadyNow());
    }
  }
}
