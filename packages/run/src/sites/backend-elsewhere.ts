import type { Adoption, Backend, BackendEvent, Capabilities, LeftInQueue } from "@wf/backend";
import type { ClusterBackend } from "@wf/backend-cluster";
import type { ObjectStore, SiteContent } from "@wf/data";
import { type JobSpec, type TaskRecord, type Value, WfError } from "@wf/protocol";
import type { AttemptsElsewhere } from "./attempts-elsewhere.ts";
import { inWords, isOfOneObject, sendInputs } from "./send-inputs.ts";

type Finished = Extract<BackendEvent, { type: "finished" }>;
/** What is said of an end comes after it. */
type End = Finished | Extract<BackendEvent, { type: "confirmed" | "revoked" }>;

export interface ElsewhereOptions {
  readonly inner: ClusterBackend;
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
  #arriving: End[] = [];
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
    const unsent = await sendInputs(jobs, (values) => content.send(values, signal));
    await inner.refuse(unsent, signal);
    const refused = new Set(unsent.map(({ job }) => job));
    const sent = jobs.filter((job) => !refused.has(job));
    if (sent.length > 0) await inner.submit(sent, signal);
  }

  cancel(attempts: readonly string[], signal: AbortSignal): Promise<void> {
    return this.#options.inner.cancel(attempts, signal);
  }

  adopt(attempts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Adoption>> {
    return this.#options.inner.adopt(attempts, signal);
  }

  confirm(): void {
    this.#options.inner.confirm();
  }

  async close(signal: AbortSignal, waiting?: "dropped" | "left"): Promise<LeftInQueue | null> {
    this.#life.abort();
    return await this.#options.inner.close(signal, waiting);
  }

  #hear(event: BackendEvent): void {
    if (event.type !== "finished" && event.type !== "confirmed" && event.type !== "revoked") {
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
      const told = this.#arriving;
      this.#arriving = [];
      const ended = told.filter((event) => event.type === "finished");
      try {
        const brought = new Map((await this.#brought(ended)).map((event) => [event.attempt, event]));
        for (const event of told)
          this.#onEvent(event.type === "finished" ? (brought.get(event.attempt) as Finished) : event);
      } catch (error) {
        if (!this.#life.signal.aborted) this.#onEvent({ type: "broken", error: asWfError(error) });
        return;
      }
    }
    this.#isBringing = false;
  }

  /** Where something that was made is gone or damaged, the task that made it has failed, and no other. */
  async #brought(ended: readonly Finished[]): Promise<readonly Finished[]> {
    if (ended.length === 0) return [];
    try {
      await this.#bring(ended.map(({ record }) => record));
      return ended;
    } catch (error) {
      if (!isOfOneObject(error)) throw error;
      const [event] = ended as [Finished];
      if (ended.length === 1) return [unusable(event, inWords("what it made cannot be used", error))];
      return (await Promise.all(ended.map((one) => this.#brought([one])))).flat();
    }
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

function unusable(event: Finished, message: string): Finished {
  const { checkpoint: _, pictures: __, ...record } = event.record;
  const failure = { class: "output-invalid", message } as const;
  return { ...event, isProvisional: false, record: { ...record, state: "failed", failure, outputs: {} } };
}

function asWfError(error: unknown): WfError {
  if (error instanceof WfError) return error;
  return new WfError("WF_INTERNAL", error instanceof Error ? error.message : String(error), { cause: error });
}
