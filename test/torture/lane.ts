import { until } from "@wf/testing";
import type { Outcome, Started } from "../e2e/project.ts";
import { type Ground, WORKFLOW } from "./ground.ts";

/** How often a run may end badly after nothing more was done to it: the failure of a record is told once more first. */
const QUIET_ENDS = 4;

export interface LaneOptions {
  readonly name: string;
  readonly site: string;
  readonly pause: string;
  readonly env: Readonly<Record<string, string>>;
  /** Counts what was done to the round so far. */
  readonly disturbed: () => number;
  /** Whether the round is lost, so that nothing is resumed any more. */
  readonly isLost: () => boolean;
}

/** One run that is resumed as often as it ends before it has succeeded. */
export class Lane {
  readonly #ground: Ground;
  readonly #options: LaneOptions;
  #running: Started | undefined;
  resumes = 0;
  isDone = false;

  constructor(ground: Ground, options: LaneOptions) {
    this.#ground = ground;
    this.#options = options;
  }

  /** The run's name. */
  run(): string | undefined {
    return this.#ask("name");
  }

  status(): string | undefined {
    return this.#ask("status");
  }

  /** The process of `wf` that drives it now. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /** When that process has ended. */
  async ended(): Promise<void> {
    await this.#running?.ended.catch(() => undefined);
  }

  async toTheEnd(): Promise<void> {
    let quietEnds = 0;
    let seen = this.#options.disturbed();
    for (;;) {
      const outcome = await this.#start();
      if (this.status() === "succeeded") break;
      if (this.#options.isLost()) return;
      quietEnds = this.#options.disturbed() === seen ? quietEnds + 1 : 0;
      seen = this.#options.disturbed();
      if (quietEnds > QUIET_ENDS) throw new Error(`${this.#options.name} does not succeed: ${said(outcome)}`);
      this.resumes += 1;
    }
    this.isDone = true;
  }

  /** The same once more, with nothing to do. */
  again(): Promise<Outcome> {
    return this.#ground.project.wf(this.#words("again"), { env: this.#options.env });
  }

  async #start(): Promise<Outcome> {
    const run = this.run();
    const words = run === undefined ? this.#words(this.#options.name) : ["resume", run, "--json"];
    this.#running = this.#ground.project.start(words, { env: this.#options.env });
    const outcome = await this.#running.ended;
    await until("room on the disk", () => this.#ground.disk?.isFull() !== true);
    if (outcome.exitCode === 70 || /WF_INTERNAL/.test(outcome.stderr)) throw new Error(`a bug of wf: ${said(outcome)}`);
    return outcome;
  }

  #words(lane: string): string[] {
    const { site, pause } = this.#options;
    const params = [`ledger=${this.#ground.ledger}`, `lane=${lane}`, `pause=${pause}`].flatMap((param) => [
      "-p",
      param,
    ]);
    return ["run", WORKFLOW, "--site", site, "--json", ...params];
  }

  #ask(column: "name" | "status"): string | undefined {
    return this.#ground.project.ask(`SELECT ${column} FROM runs WHERE params ->> 'lane' = ?`, this.#options.name);
  }
}

const MOST_SAID = 3000;

export function said({ exitCode, stdout, stderr }: Outcome): string {
  return `exit code ${exitCode}\n${`${stdout}${stderr}`.slice(-MOST_SAID)}`;
}
