import type { Adoption, Backend, BackendEvent, Capabilities, JobSpec } from "@wf/backend";
import { type TaskRecord, type Value, WfError } from "@wf/core";
import type { ObjectStore, SiteContent } from "@wf/data";
import type { AttemptsElsewhere } from "./attempts-elsewhere.ts";

type Finished = Extract<BackendEvent, { type: "finished" }>;

export interface ElsewhereOptions {
  readonly inner: Backend;
  readonly content: SiteContent;
  readonly objects: ObjectStore;
  /** Null where what attempts leave behind can be read directly. */
  readonly attempts: AttemptsElsewhere | null;
}

/**
 * A backend whose storage is not the store's own folder. Content goes there before the job that reads it; what is
 * needed to plan and to explain comes back before the engine hears of an end.
 */
export class BackendElsewhere implements Backend {
  readonly #options: ElsewhereOptions;
  readonly #life = new AbortController();
  #onEvent: (event: BackendEvent) => void = () => undefined;
  #arriving: Finished[] = [];
  #isBringing = false;

  constructor(options: ElsewhereOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.inner.name;
  }

  get capabilities(): Capabilities {
    return this.#options.inner.capabilities;
  }

  async open(onEvent: (event: BackendEvent) => void, signal: AbortSignal): Promise<void> {
    this.#onEvent = onEvent;
    await this.#options.inner.open((event) => this.#hear(event), signal);
  }

  async submit(jobs: readonly JobSpec[], signal: AbortSignal): Promise<void> {
    const { inner, content } = this.#options;
    const inputs = jobs.flatMap(({ tasks }) => tasks.flatMap((task) => task.inputs.map(({ value }) => value)));
    await content.send(inputs, signal);
    await inner.submit(jobs, signal);
  }

  cancel(attempts: readonly string[], signal: AbortSignal): Promise<void> {
    return this.#options.inner.cancel(attempts, signal);
  }

  adopt(attempts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Adoption>> {
    return this.#options.inner.adopt(attempts, signal);
  }

  async close(signal: AbortSignal): Promise<void> {
    this.#life.abort();
    await this.#options.inner.close(signal);
  }

  #hear(event: BackendEvent): void {
    if (event.type !== "finished") {
      this.#onEvent(event);
      return;
    }
    this.#arriving.push(event);
    if (!this.#isBringing) void this.#bringAll();
  }

  /** Everything that ended while the last of it was brought comes together. */
  async #bringAll(): Promise<void> {
    this.#isBringing = true;
    while (this.#arriving.length > 0 && !this.#life.signal.aborted) {
      const ended = this.#arriving;
      this.#arriving = [];
      try {
        await this.#bring(ended.map(({ record }) => record));
      } catch (error) {
        if (!this.#life.signal.aborted) this.#onEvent({ type: "broken", error: asWfError(error) });
        return;
      }
      for (const event of ended) this.#onEvent(event);
    }
    this.#isBringing = false;
  }

  async #bring(records: readonly TaskRecord[]): Promise<void> {
    const { content, objects, attempts } = this.#options;
    const { signal } = this.#life;
    const outputs = records.flatMap(({ outputs, checkpoint }) => [
      ...Object.values(outputs),
      ...(checkpoint === undefined ? [] : [checkpoint]),
    ]);
    const pictures: Value[] = records.flatMap(({ pictures = [] }) => pictures.map(({ file }) => file));
    await content.fetchManifests(outputs, signal);
    content.noteMade([...outputs, ...pictures]);
    await content.fetch(pictures, signal);
    if (attempts === null) return;
    for (const record of records) {
      attempts.linkPictures(record, objects);
      if (record.state === "failed") await attempts.bring(record.attempt, record.failure?.rank ?? 0, signal);
    }
  }
}

function asWfError(error: unknown): WfError {
  if (error instanceof WfError) return error;
  return new WfError("WF_INTERNAL", error instanceof Error ? error.message : String(error), { cause: error });
}
