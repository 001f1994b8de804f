import { listOf, type Resolved } from "./resolved.ts";
import type { NodeEnd } from "./scope-instance.ts";

/** A round that may begin, with the results of earlier ones that it is given. */
interface Round {
  readonly index: number;
  readonly earlier: ReadonlyMap<string, Resolved>;
}

/**
 * The rounds of a series. Law: round i is given exactly the results of rounds 0 to i - window. It begins when these
 * have ended, so what ends when, and how many run at once, changes nothing that a round is given.
 */
export class Rounds {
  readonly #names: readonly string[];
  readonly #count: number;
  readonly #window: number;
  readonly #ends: (NodeEnd | undefined)[] = [];
  #begun = 0;
  #underWay = 0;
  /** How many have ended well without a gap from the first one on. */
  #settled = 0;

  constructor(names: readonly string[], { count, window }: { readonly count: number; readonly window: number }) {
    this.#names = names;
    this.#count = count;
    this.#window = window;
  }

  /** Those that may begin now. A round that fails keeps back those that would be given its results, and no others. */
  take(): readonly Round[] {
    const rounds: Round[] = [];
    while (this.#begun < Math.min(this.#count, this.#settled + this.#window)) {
      const index = this.#begun++;
      this.#underWay++;
      rounds.push({ index, earlier: this.#earlierThan(index) });
    }
    return rounds;
  }

  ended(index: number, end: NodeEnd): void {
    this.#ends[index] = end;
    this.#underWay--;
    while (this.#ends[this.#settled]?.ok) this.#settled++;
  }

  /** How the whole series has ended, once it has. */
  end(): NodeEnd | undefined {
    if (this.#settled === this.#count) return { ok: true, values: Object.fromEntries(this.#results(this.#count)) };
    const hasStopped = this.#underWay === 0 && this.#begun >= Math.min(this.#count, this.#settled + this.#window);
    return hasStopped ? this.#ends.find((end) => end?.ok === false) : undefined;
  }

  #earlierThan(index: number): ReadonlyMap<string, Resolved> {
    return this.#results(Math.max(0, index - this.#window + 1));
  }

  #results(of: number): ReadonlyMap<string, Resolved> {
    const ends = this.#ends.slice(0, of) as readonly Extract<NodeEnd, { ok: true }>[];
    return new Map(this.#names.map((name) => [name, listOf(ends.map(({ values }) => values[name] as Resolved))]));
  }
}
