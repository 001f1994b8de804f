import { setTimeout as delay } from "node:timers/promises";
import type { TaskRecord } from "@wf/core";
import type { Adoption, Backend, BackendEvent } from "../backend.ts";
import type { JobSpec } from "../job-spec.ts";
import type { BackendHarness } from "./harness.ts";

type EventOf<Type extends BackendEvent["type"]> = Extract<BackendEvent, { type: Type }>;

const PATIENCE_MS = 3_000;

/** An engine of the plainest kind: hands jobs over and notes what it is told. */
export class ContractSession {
  readonly backend: Backend;
  readonly events: BackendEvent[] = [];
  readonly #life = new AbortController();
  readonly #unfinished = new Set<string>();
  #onChange: () => void = () => undefined;
  #change = this.#nextChange();
  #isOver = false;

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async open(onEvent: (event: BackendEvent) => void = () => undefined): Promise<void> {
    const note = (event: BackendEvent) => {
      onEvent(event);
      this.events.push(event);
      if (event.type === "finished") this.#unfinished.delete(event.attempt);
      this.#onChange();
      this.#change = this.#nextChange();
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

  countFinished(attempt: string): number {
    return this.events.filter((event) => event.type === "finished" && event.attempt === attempt).length;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.backend.close(this.#life.signal);
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
    for (;;) {
      const found = this.events.find((event) => event.type === type && event.attempt === attempt);
      if (found !== undefined) return found as EventOf<Type>;
      const broken = this.events.find((event) => event.type === "broken");
      if (broken?.type === "broken") throw broken.error;
      await this.#change;
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }
}
