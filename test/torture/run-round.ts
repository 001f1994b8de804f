import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@wf/testing";
import type { Outcome } from "../e2e/project.ts";
import { type Act, canEndTasks, type Disturbance } from "./disturbance.ts";
import { type Ground, makeGround } from "./ground.ts";
import { Lane, said } from "./lane.ts";
import { brokenLaws } from "./laws.ts";
import { readLedger } from "./ledger.ts";
import type { Place } from "./place.ts";
import { type FoundProcess, kill, processesBelow } from "./processes.ts";
import type { Round } from "./round.ts";
import type { TurnedClock } from "./turned-clock.ts";

export interface RoundReport {
  /** What breaks a law; none if all is well. */
  readonly broken: readonly string[];
  /** What was done: a disturbance after the end of the run is none. */
  readonly acts: readonly Act[];
  readonly tasks: number;
  readonly resumes: number;
  /** Kept where something is broken, until it is discarded. */
  readonly folder: string;
  discard(): void;
}

/** Of runs beside each other; `wf gc` keeps as many. */
const MOST_LANES = 2;
const LONGEST_FULL_MS = 20_000;
const MOST_PAGES = 16;
const TURNS_SECONDS = [-40 * 86_400, -86_400, -3_700, -61, 61, 3_700, 86_400, 40 * 86_400];

/** Runs a workflow, does to it what the round says, lets it come to its end, and looks whether the laws hold. */
export async function runRound(round: Round, place: Place, clock: TurnedClock | undefined): Promise<RoundReport> {
  const ground = makeGround(round, place);
  const ordeal = new Ordeal(round, place, ground, clock);
  const broken = await ordeal.run();
  const report = { broken, ...ordeal.report(), folder: ground.folder, discard: ground.clear };
  if (broken.length === 0) ground.clear();
  else for (const { pid } of processesBelow(ground.folder)) kill(pid);
  return report;
}

class Ordeal {
  readonly #round: Round;
  readonly #place: Place;
  readonly #ground: Ground;
  readonly #clock: TurnedClock | undefined;
  readonly #env: Readonly<Record<string, string>>;
  readonly #lanes: Lane[] = [];
  readonly #ends: Promise<void>[] = [];
  readonly #collections: Promise<Outcome>[] = [];
  readonly #acts: Act[] = [];
  readonly #errors: string[] = [];

  constructor(round: Round, place: Place, ground: Ground, clock: TurnedClock | undefined) {
    this.#round = round;
    this.#place = place;
    this.#ground = ground;
    this.#clock = round.disturbances.some(({ act }) => act === "turn-clock") ? clock : undefined;
    this.#env = this.#clock?.env ?? {};
  }

  report(): Pick<RoundReport, "acts" | "tasks" | "resumes"> {
    const resumes = this.#lanes.reduce((sum, lane) => sum + lane.resumes, 0);
    const tasks = readLedger(this.#ground.ledger).filter(({ event }) => event === "start").length;
    return { acts: this.#acts, tasks, resumes };
  }

  async run(): Promise<readonly string[]> {
    this.#clock?.turn(0);
    this.#startLane();
    try {
      for (const disturbance of this.#round.disturbances) {
        await this.#reach(disturbance);
        if (this.#isOver()) break;
        if (await this.#act(disturbance)) this.#acts.push(disturbance.act);
      }
    } catch (error) {
      this.#lose(error);
    }
    await Promise.all(this.#ends);
    for (const outcome of await Promise.all(this.#collections)) {
      if (/WF_INTERNAL/.test(outcome.stderr)) this.#errors.push(`a bug of wf gc: ${said(outcome)}`);
    }
    if (this.#errors.length > 0) return this.#errors;
    try {
      return await brokenLaws({
        round: this.#round,
        place: this.#place,
        ground: this.#ground,
        lanes: this.#lanes,
        couldEndTasks: this.#acts.some(canEndTasks),
        mayLiveOn: this.#acts.includes("kill-daemon"),
      });
    } catch (error) {
      return [messageOf(error)];
    }
  }

  #startLane(): void {
    const lane = new Lane(this.#ground, {
      name: `lane-${this.#lanes.length}`,
      site: this.#place.name,
      pause: this.#round.pause,
      env: this.#env,
      disturbed: () => this.#acts.length,
      isLost: () => this.#errors.length > 0,
    });
    this.#lanes.push(lane);
    this.#ends.push(lane.toTheEnd().catch((error) => this.#lose(error)));
  }

  #lose(error: unknown): void {
    this.#errors.push(messageOf(error));
    for (const { pid } of this.#processes()) kill(pid);
  }

  #isOver(): boolean {
    return this.#errors.length > 0 || this.#lanes.every(({ isDone }) => isDone);
  }

  /** Events in the store and lines in the ledger. */
  #progress(): number {
    const events = this.#ground.project.ask<number>("SELECT count(*) FROM events") ?? 0;
    return events + readLedger(this.#ground.ledger).length;
  }

  async #reach({ after, pauseMs }: Disturbance): Promise<void> {
    const goal = this.#progress() + after;
    const seen = () => this.#progress();
    await until(`${goal} events and lines, or the end`, () => this.#isOver() || seen() >= goal, { lastSeen: seen });
    await sleep(pauseMs);
  }

  /** False where there was nothing to do it to. */
  async #act({ act, choice }: Disturbance): Promise<boolean> {
    switch (act) {
      case "kill-wf": {
        const lane = this.#lanes[choice % this.#lanes.length] as Lane;
        const { pid } = lane;
        if (lane.isDone || pid === undefined || !kill(pid)) return false;
        await lane.ended();
        return true;
      }
      case "kill-launcher":
        return this.#killOne("launcher", choice);
      case "kill-task":
        return this.#killOne("task", choice);
      case "kill-all": {
        const found = this.#processes().filter(({ kind }) => kind !== "other");
        return found.map(({ pid }) => kill(pid)).some(Boolean);
      }
      case "kill-daemon": {
        const { daemons } = this.#place;
        await this.#place.killDaemon(daemons[choice % daemons.length] as string);
        return true;
      }
      case "cut":
        return this.#place.cut() > 0;
      case "fill-disk":
        return this.#fillDisk(choice % MOST_PAGES);
      case "turn-clock":
        this.#clock?.turn(TURNS_SECONDS[choice % TURNS_SECONDS.length] as number);
        return this.#clock !== undefined;
      case "gc":
        this.#collections.push(this.#ground.project.wf(this.#gcWords(choice), { env: this.#env }));
        return true;
      case "second-run":
        if (this.#lanes.length >= MOST_LANES) return false;
        this.#startLane();
        return true;
    }
  }

  #processes(): readonly FoundProcess[] {
    return processesBelow(this.#ground.folder);
  }

  async #killOne(kind: FoundProcess["kind"], choice: number): Promise<boolean> {
    const found = () => this.#processes().filter((process) => process.kind === kind);
    await until(`a ${kind}, or the end`, () => this.#isOver() || found().length > 0);
    const victims = found();
    const victim = victims[choice % victims.length];
    return victim !== undefined && kill(victim.pid);
  }

  async #fillDisk(pages: number): Promise<boolean> {
    const { disk } = this.#ground;
    if (disk === undefined) return false;
    disk.fill(pages);
    try {
      await Promise.race([
        ...this.#lanes.filter(({ isDone }) => !isDone).map((lane) => lane.ended()),
        sleep(LONGEST_FULL_MS),
      ]);
    } finally {
      disk.makeRoom();
    }
    return true;
  }

  #gcWords(choice: number): readonly string[] {
    const older = choice % 2 === 0 ? ["--older-than", "0s", "--keep", `${MOST_LANES}`] : [];
    const there = this.#place.name === "local" ? [] : ["--site", this.#place.name];
    return ["gc", ...older, ...there, "--json"];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
