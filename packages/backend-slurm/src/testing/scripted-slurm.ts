import { LoginNode, SchedulerCommands, type SystemEvent } from "@wf/backend-cluster";
import { localTransport, type RunResult } from "@wf/transport";
import { SlurmSystem } from "../slurm-system.ts";
import { sampleSettings } from "./sample-settings.ts";

type Words = Pick<RunResult, "code" | "stdout" | "stderr">;
type Answer = (argv: readonly string[]) => Partial<Words>;

/** SLURM's commands, with answers that a test has at hand: `{ squeue: () => recording("slurm-24.11", "purged.squeue") }`. */
export class ScriptedSlurm {
  readonly system: SlurmSystem;
  /** What was run so far. */
  readonly calls: string[] = [];
  /** What was told of watched jobs. */
  readonly events: SystemEvent[] = [];
  answers: Readonly<Record<string, Answer>> = {};
  readonly #life = new AbortController();

  constructor() {
    const settings = sampleSettings({ poll: { every: 0.001, atMost: 0.001 }, budget: { commands: 100_000 } });
    const login = new LoginNode({
      ...{ run: "r1", scheduler: "slurm", storage: "/nosuch", python: "python3" },
      transport: localTransport(),
    });
    const commands = new SchedulerCommands(async (argv) => this.#answer(argv), settings.budget);
    this.system = new SlurmSystem({ run: "r1", python: "python3", settings, login, commands });
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** Asks about watched jobs again and again, until `stop`. */
  start(): void {
    void this.system.run((event) => this.events.push(event), this.signal);
  }

  stop(): void {
    this.#life.abort();
  }

  #answer(argv: readonly [string, ...string[]]): RunResult {
    const answer = this.answers[argv[0]]?.(argv) ?? {};
    this.calls.push(argv.join(" "));
    return { code: 0, signal: null, stdout: "", stderr: "", ...answer };
  }
}
