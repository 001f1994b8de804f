import type { Adoption } from "@wf/backend";
import type { FailureClass, TaskRecord } from "@wf/protocol";
import type { AttemptOf, JobToSubmit, RunEvent } from "./effects.ts";
import type { Dice } from "./test-dice.ts";
import { type Behaviour, numberOfCheckpoint, type Outcome, testRecord } from "./test-site.ts";

/** Failures that have nothing to do with what a task does, and that a retry heals. */
const OF_THE_TASK: readonly FailureClass[] = ["exit", "signal", "out-of-memory", "time-limit", "output-missing"];
const OF_THE_PLACE: readonly FailureClass[] = ["preempted", "node-failed", "interrupted", "lost", "stage-in"];

interface SiteAttempt {
  readonly work: AttemptOf;
  readonly job: string;
  state: "waiting" | "running" | "ended";
  record: TaskRecord | null;
  /** Of a success that may yet be none: what its job comes to. */
  verdict: TaskRecord | null;
}

/**
 * A place to run where all that can go wrong does, as the dice say. It keeps the laws of the backend port: what it was
 * given goes on when the engine dies, a record is there before its event, and a new engine is told of what has ended.
 * It has no clock: things happen in any order. What it sends may come late, in another order, twice or never.
 */
export class TroubledSite {
  nowMs = 0;
  readonly #dice: Dice;
  readonly #behaviour: Behaviour;
  readonly #retries: number;
  readonly #isProvisional: boolean;
  readonly #attempts = new Map<string, SiteAttempt>();
  readonly #open = new Map<string, SiteAttempt>();
  readonly #unjudged = new Map<string, SiteAttempt>();
  readonly #glue = new Map<string, SiteAttempt>();
  readonly #executions = new Map<string, number>();
  readonly #troubles = new Map<string, number>();
  #sent: RunEvent[] = [];
  #letters: RunEvent[] = [];
  #preparing: string[] = [];
  #hasLost = false;

  constructor(dice: Dice, behaviour: Behaviour, retries: number, isProvisional: boolean) {
    this.#dice = dice;
    this.#behaviour = behaviour;
    this.#retries = retries;
    this.#isProvisional = isProvisional;
  }

  /** A message never arrived, so that the engine may wait in vain. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  /** Attempts that wait or run. */
  inFlight(): string[] {
    return [...this.#open.keys()];
  }

  submit({ job, tasks }: JobToSubmit): void {
    if (this.#dice.isOneIn(40)) {
      this.#hasLost = true;
      return;
    }
    for (const work of tasks) {
      if (this.#attempts.has(work.attempt)) throw new Error(`${work.attempt} was submitted twice`);
      const attempt = newAttempt(work, job);
      this.#attempts.set(work.attempt, attempt);
      this.#open.set(work.attempt, attempt);
    }
  }

  prepare(stage: string): void {
    this.#preparing.push(stage);
  }

  /** Glue lives and dies with the engine. */
  startGlue(work: AttemptOf): void {
    this.#glue.set(work.attempt, newAttempt(work, "glue"));
  }

  cancel(attempt: string): void {
    const cancelled = this.#open.get(attempt) ?? this.#glue.get(attempt);
    if (cancelled) this.#end(cancelled, { seconds: 0, failure: "cancelled" });
  }

  adopt(attempts: readonly string[]): Map<string, Adoption> {
    return new Map(attempts.map((attempt) => [attempt, this.#fateOf(attempt)]));
  }

  #fateOf(attempt: string): Adoption {
    const known = this.#attempts.get(attempt);
    if (!known) return "never-submitted";
    if (known.state !== "ended") return "running";
    if (known.record === null) return "lost";
    this.#tell(known);
    return "finished";
  }

  /** What was under way to the engine is lost with it, or reaches the next one. What runs may die as well. */
  engineDied(): void {
    const isOfJob = (letter: RunEvent) => "attempt" in letter && this.#attempts.has(letter.attempt);
    this.#preparing = [];
    this.#hasLost = false;
    this.#sent = this.#sent.filter(isOfJob);
    this.#letters = this.#dice.isOneIn(3) ? this.#letters.filter(isOfJob) : [];
    this.#glue.clear();
    this.#unjudged.clear();
    for (const attempt of this.#open.values()) {
      if (!this.#dice.isOneIn(12)) continue;
      this.#open.delete(attempt.work.attempt);
      attempt.state = "ended";
    }
  }

  /** What the engine hears next, after whatever happens before that; undefined when nothing ever will. */
  next(): RunEvent[] | undefined {
    while (this.#letters.length === 0 || this.#dice.isOneIn(4)) {
      if (!this.#happen()) break;
    }
    if (this.#letters.length === 0) return undefined;
    return Array.from({ length: 1 + this.#dice.roll(4) }, () => this.#deliver()).flat();
  }

  #deliver(): RunEvent[] {
    const at = this.#dice.roll(Math.max(1, this.#letters.length));
    const [letter] = this.#letters.splice(at, 1);
    if (!letter) return [];
    if (this.#dice.isOneIn(40)) {
      this.#hasLost = true;
      return [];
    }
    if (this.#dice.isOneIn(8)) this.#letters.push(letter);
    this.#sent.push(letter);
    const letters = this.#dice.isOneIn(8) ? [letter, ...this.#strayLetters()] : [letter];
    return letters.map((one) => ("nowMs" in one ? { ...one, nowMs: this.nowMs } : one));
  }

  /** Of attempts that are over, or that nobody knows. */
  #strayLetters(): RunEvent[] {
    const old = this.#dice.pick(this.#sent);
    if (old && this.#dice.isOneIn(2)) return [old];
    const attempt = this.#dice.isOneIn(2) && old && "attempt" in old ? `${old.attempt}9` : "nobody@1";
    const record = testRecord({ attempt, task: "nobody" }, { outputs: { n: 5, all: [5] }, metrics: { score: 5 } });
    const strays: RunEvent[] = [
      { type: "finished", attempt, record, nowMs: 0, isProvisional: this.#dice.isOneIn(2) },
      { type: "started", attempt, startedAt: 0 },
      { type: "confirmed", attempts: [attempt] },
      { type: "revoked", attempt, record: testRecord({ attempt }, { failure: "preempted" }), nowMs: 0 },
    ];
    return strays.slice(this.#dice.roll(strays.length)).slice(0, 1);
  }

  /** One thing that can happen at the site; false when nothing can. */
  #happen(): boolean {
    const [stage] = this.#preparing;
    if (stage !== undefined && !this.#dice.isOneIn(3)) {
      this.#preparing.shift();
      this.#letters.push({ type: "prepared", stage });
      return true;
    }
    const judged = this.#judged();
    const active = [...this.#open.values(), ...this.#glue.values()].filter((attempt) => this.#canGoOn(attempt));
    const chosen = this.#dice.pick([...active, ...judged]);
    if (!chosen) return stage !== undefined;
    if (chosen.state === "waiting") this.#start(chosen);
    else if (chosen.state === "running") this.#run(chosen);
    else this.#judge(chosen);
    return true;
  }

  /** Tasks of one job run one after the other. */
  #canGoOn(attempt: SiteAttempt): boolean {
    if (attempt.state === "running" || attempt.job === "glue") return true;
    for (const other of this.#open.values()) if (other.job === attempt.job) return other === attempt;
    return true;
  }

  #start(attempt: SiteAttempt): void {
    const attempts = [attempt.work.attempt];
    if (this.#dice.isOneIn(20)) this.#letters.push({ type: "held", attempts }, { type: "released", attempts });
    attempt.state = "running";
    this.#letters.push({ type: "started", attempt: attempt.work.attempt, startedAt: 0 });
  }

  #run(attempt: SiteAttempt): void {
    const { task, checkpoint } = attempt.work;
    const execution = this.#executions.get(task.name) ?? 0;
    this.#executions.set(task.name, execution + 1);
    const outcome = this.#behaviour(task, execution, numberOfCheckpoint(checkpoint));
    const failure = this.#trouble(task.name);
    this.#end(attempt, failure ? { ...outcome, failure } : outcome);
    if (!failure || !this.#dice.isOneIn(2)) return;
    for (const other of this.#open.values())
      if (other.job === attempt.job) this.#end(other, { seconds: 0, failure: "not-reached" });
  }

  /** Never more than the task survives. */
  #trouble(task: string): FailureClass | undefined {
    if (!this.#dice.isOneIn(4)) return undefined;
    const isOfTheTask = this.#dice.isOneIn(2);
    const kind = this.#dice.pick(isOfTheTask ? OF_THE_TASK : OF_THE_PLACE) as FailureClass;
    return this.#survives(task, isOfTheTask ? "retries" : kind) ? kind : undefined;
  }

  #survives(task: string, kind: FailureClass | "retries"): boolean {
    const about = `${kind} of ${task}`;
    const before = this.#troubles.get(about) ?? 0;
    if (before >= (kind === "retries" ? this.#retries : 1)) return false;
    this.#troubles.set(about, before + 1);
    return true;
  }

  #end(attempt: SiteAttempt, outcome: Outcome): void {
    const { task, attempt: name } = attempt.work;
    const about = { task: task.name, attempt: name };
    const isGlue = this.#glue.delete(name);
    const files = Object.keys(task.node.declaration.outputs).filter((output) => output === "state");
    this.#open.delete(name);
    attempt.state = "ended";
    attempt.record = testRecord(about, { ...outcome, files });
    if (!outcome.failure && !isGlue && this.#isProvisional && !this.#dice.isOneIn(6)) {
      const isNone = this.#dice.isOneIn(3) && this.#survives(task.name, "node-failed");
      attempt.verdict = isNone ? testRecord(about, { failure: "node-failed" }) : attempt.record;
      if (isNone) attempt.record = testRecord(about, { ...outcome, files, outputs: wrong(outcome, this.#dice) });
    }
    this.#tell(attempt);
  }

  #tell(attempt: SiteAttempt): void {
    const { record, verdict, work } = attempt;
    const isProvisional = verdict !== null;
    this.#letters.push({
      type: "finished",
      attempt: work.attempt,
      record: record as TaskRecord,
      nowMs: 0,
      isProvisional,
    });
    if (isProvisional) this.#unjudged.set(work.attempt, attempt);
  }

  /** A verdict follows the success that it is about. */
  #judged(): SiteAttempt[] {
    const underWay = new Set(this.#letters.map((letter) => (letter.type === "finished" ? letter.attempt : "")));
    return [...this.#unjudged.values()].filter(({ work }) => !underWay.has(work.attempt));
  }

  #judge({ work: { attempt }, verdict }: SiteAttempt): void {
    this.#unjudged.delete(attempt);
    const record = verdict as TaskRecord;
    this.#letters.push(
      record.failure ? { type: "revoked", attempt, record, nowMs: 0 } : { type: "confirmed", attempts: [attempt] },
    );
  }
}

function newAttempt(work: AttemptOf, job: string): SiteAttempt {
  return { work, job, state: "waiting", record: null, verdict: null };
}

/** Something that looks like a success, and may even be right. */
function wrong({ outputs = {} }: Outcome, dice: Dice): NonNullable<Outcome["outputs"]> {
  if ("all" in outputs) return { all: [3, 1, 2].slice(dice.roll(4)) };
  return { n: ((outputs.n as number) + dice.roll(10)) % 10 };
}
