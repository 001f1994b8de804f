import { setTimeout as delay } from "node:timers/promises";
import type { JobSpec, TaskRecord } from "@wf/protocol";
import { until } from "@wf/testing";
import type { Adoption, Backend, BackendEvent, LeftInQueue } from "../backend.ts";
import type { BackendHarness } from "./harness.ts";

type EventOf<Type extends BackendEvent["type"]> = Extract<BackendEvent, { type: Type }>;

/** For what a failed case leaves behind. */
const PATIENCE_MS = 30_000;

/** An engine of the plainest kind: hands jobs over and notes what it is told. */
export class ContractSession {
  readonly backend: Backend;
  readonly events: BackendEvent[] = [];
  readonly #life = new AbortController();
  readonly #unfinished = new Set<string>();
  #isOver = false;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async open(onEvent: (event: BackendEvent) => void = () => undefined): Promise<void> {
    const note = (event: BackendEvent) => {
      onEvent(event);
      this.events.push(event);
      if (event.type === "finished") this.#unfinished.delete(event.attempt);
    };
    await this.backend.open(note, this.#life.signal);
  }

  async submit(...jobs: readonly JobSpec[]): Promise<void> {
    for (const { tasks } of jobs) for (const { attempt } of tasks) this.#unfinished.add(attempt);
    await this.backend.submit(jobs, this.#life.signal);
  }

  async cancel(...attempts: readonly string[]): Promise<void> {
    await this.backend.cancel(attempts, this.#life.signal);
  }

  async adopt(...attempts: readonly string[]): Promise<ReadonlyMap<string, Adoption>> {
    return await this.backend.adopt(attempts, this.#life.signal);
  }

  async started(attempt: string): Promise<EventOf<"started">> {
    return await this.#first("started", attempt);
  }

  async finished(attempt: string): Promise<TaskRecord> {
    return (await this.#first("finished", attempt)).record;
  }

  /** What the attempt came to in the end: where its success is provisional, it is waited for what becomes of it. */
  async settled(attempt: string): Promise<TaskRecord> {
    const { record, isProvisional = false } = await this.#first("finished", attempt);
    if (!isProvisional) return record;
    const isVerdict = (event: BackendEvent) =>
      (event.type === "revoked" && event.attempt === attempt) ||
      (event.type === "confirmed" && event.attempts.includes(attempt));
    const verdict = await until(`the end of the job of ${attempt}`, () => this.events.find(isVerdict));
    return verdict.type === "revoked" ? verdict.record : record;
  }

  countFinished(attempt: string): number {
    return this.events.filter((event) => event.type === "finished" && event.attempt === attempt).length;
  }

  async close(): Promise<LeftInQueue | null> {
    this.#isOver = true;
    return await this.backend.close(this.#life.signal);
  }

  async crash(harness: BackendHarness): Promise<void> {
    this.#isOver = true;
    await harness.crash(this.backend);
  }

  /** After a case, even one that failed: nothing that it started is left to run. */
  async clear(): Promise<void> {
    if (this.#isOver) return;
    const left = [...this.#unfinished];
    if (left.length > 0) {
      await this.cancel(...left);
      const areFinished = Promise.all(left.map((attempt) => this.finished(attempt)));
      await Promise.race([areFinished, delay(PATIENCE_MS, undefined, { ref: false })]);
    }
    await this.close();
  }

  async #first<Type extends "started" | "finished">(type: Type, attempt: string): Promise<EventOf<Type>> {
    const broken = () => this.events.find((event) => event.type === "broken");
    const event = await until(
      `${attempt} to be ${type}`,
      () => this.events.find((event) => event.type === type && event.attempt === attempt) ?? broken(),
      {
        lastSeen: () =>
          this.events.map((event) => ("attempt" in event ? `${event.attempt} ${event.type}` : event.type)),
      },
    );
    if (event.type === "broken") throw event.error;
    return event as EventOf<Type>;
  }
}
