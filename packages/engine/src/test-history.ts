import { stageOfTask } from "@wf/protocol";
import { adoptAttempts } from "./adoption.ts";
import { advance } from "./advance.ts";
import type { AttemptOf, Effects, RunEvent, RunStatus } from "./effects.ts";
import type { Fact } from "./fact.ts";
import { RunMachine } from "./run-machine.ts";
import type { RunOptions } from "./run-options.ts";
import type { Dice } from "./test-dice.ts";
import { plain, type RunSettings } from "./test-run.ts";
import { numberOfCheckpoint } from "./test-site.ts";
import { TestStore } from "./test-store.ts";
import type { TroubledSite } from "./test-troubled-site.ts";

const MOST_TURNS = 5000;

/** Stands for the end of an engine's process. Made once: to note where it was thrown takes long. */
const KILLED = new Error("the engine was killed");

/**
 * A run from its beginning to its end, through as many engines as that takes: each is killed at any step, or stopped,
 * and the next one has the journal and the site.
 */
export class History {
  /** All facts that were stored. */
  readonly journal: Fact[] = [];
  /** Where in the journal each engine began. */
  readonly lives: number[] = [];
  readonly site: TroubledSite;
  store = new TestStore();
  readonly #dice: Dice;
  readonly #settings: RunSettings;
  #machine: RunMachine | undefined;
  #turns = 0;

  constructor(settings: RunSettings, dice: Dice, site: TroubledSite) {
    this.#settings = settings;
    this.#dice = dice;
    this.site = site;
  }

  /** Runs to the end. */
  finish(): RunStatus {
    for (;;) {
      const status = this.#live();
      this.site.engineDied();
      if (status === "succeeded" || status === "failed") return status;
    }
  }

  outputs(): Record<string, unknown> {
    const names = Object.keys(this.#settings.graph.outputs);
    return Object.fromEntries(names.map((name) => [name, plain(this.#machine?.output(name))]));
  }

  /** How each task ended, and with what. What nobody came to is no result: a list may have been longer for a while. */
  results(): Record<string, unknown> {
    const outputs = (task: string) =>
      Object.entries(this.store.recall(task)?.outputs ?? {}).map(([name, value]) => [name, plain(value)]);
    const ends = Object.entries(this.store.ends()).filter(([, end]) => end !== "skipped");
    return Object.fromEntries(ends.map(([task, end]) => [task, [end, outputs(task)]]));
  }

  /** One engine's life; null when it was killed. */
  #live(): RunStatus | null {
    try {
      return this.#engine();
    } catch (error) {
      if (error === KILLED) return null;
      throw error;
    }
  }

  #engine(): RunStatus {
    this.lives.push(this.journal.length);
    this.store = new TestStore();
    this.store.note(this.journal);
    const options: RunOptions = { ...this.#settings, memory: this.store };
    let { machine, events } = this.#start(options);
    for (;;) {
      if (this.#turns++ > MOST_TURNS) throw new Error("the run does not end");
      const heard = this.#dice.isOneIn(60) ? [...events, this.#order()] : events;
      const { noted, effects, ...next } = advance(machine, options, heard, (fact) => this.store.note([fact]));
      this.#mayDie();
      machine = next.machine;
      this.#machine = machine;
      this.store.note(effects.facts);
      this.journal.push(...noted, ...effects.facts);
      this.#checkDropped(effects);
      const refused = this.#carryOut(effects);
      if (effects.ended !== null) return effects.ended;
      events = refused.length > 0 ? refused : this.#hear(effects.wakeAtMs);
    }
  }

  #start(options: RunOptions): { readonly machine: RunMachine; readonly events: readonly RunEvent[] } {
    const { site, store } = this;
    const open = store.openAttempts();
    const toAdopt = [...open, ...store.provisionalSuccesses()].filter(({ task }) => !this.#isGlue(task));
    const fates = site.adopt(toAdopt.map(({ attempt }) => attempt));
    const { adopted, events } = adoptAttempts(open, fates, { run: "run", host: "here", nowMs: site.nowMs });
    return {
      machine: new RunMachine(options, adopted),
      events: [...events, { type: "wake", nowMs: site.nowMs }],
    };
  }

  #isGlue(task: string): boolean {
    return this.#settings.plan.stages.get(stageOfTask(task))?.node.declaration.runtime.kind === "fn";
  }

  #order(): RunEvent {
    return { type: this.#dice.isOneIn(2) ? "cancel" : "drain" };
  }

  #mayDie(): void {
    if (this.#dice.isOneIn(24)) throw KILLED;
  }

  /** Gives what follows from jobs that the site did not take. */
  #carryOut(effects: Effects): RunEvent[] {
    const refused: RunEvent[] = [];
    for (const job of effects.submit) {
      this.#mayDie();
      if (this.#dice.isOneIn(80)) {
        refused.push({ type: "not-taken", attempts: job.tasks.map(({ attempt }) => attempt) }, { type: "drain" });
      } else {
        for (const work of job.tasks) this.#checkProgress(work);
        this.site.submit(job);
      }
    }
    for (const { node } of effects.prepare) this.site.prepare(node.id);
    for (const work of effects.glue) this.site.startGlue(work);
    for (const attempt of effects.cancel) {
      this.#mayDie();
      this.site.cancel(attempt);
    }
    return refused;
  }

  #checkDropped({ facts, cancel }: Effects): void {
    for (const fact of facts) {
      if (fact.type !== "attempt.dropped" || cancel.includes(fact.attempt)) continue;
      if (this.site.inFlight().includes(fact.attempt)) throw new Error(`${fact.attempt} was given up, and runs on`);
    }
  }

  #checkProgress({ task, attempt, checkpoint }: AttemptOf): void {
    const newest = this.store.progressOf(task.name).checkpoint;
    if (numberOfCheckpoint(checkpoint) !== numberOfCheckpoint(newest))
      throw new Error(`${attempt} does not go on from the newest checkpoint of its task`);
  }

  #hear(wakeAtMs: number | null): readonly RunEvent[] {
    const isTime = wakeAtMs !== null && this.#dice.isOneIn(4);
    const events = isTime ? undefined : this.site.next();
    if (events) return events;
    if (wakeAtMs !== null) {
      this.site.nowMs = Math.max(this.site.nowMs, wakeAtMs);
      return [{ type: "wake", nowMs: this.site.nowMs }];
    }
    if (this.site.hasLost) throw KILLED;
    throw new Error("nothing runs and nothing will happen, but the run has not ended");
  }
}
