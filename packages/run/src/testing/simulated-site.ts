import { hostname } from "node:os";
import type { Adoption, Backend, BackendEvent, RuntimePreparer } from "@wf/backend";
import type { ObjectStore } from "@wf/data";
import { type FailureClass, type JobSpec, type TaskRecord, unmeasuredRecord, type Value, WfError } from "@wf/protocol";
import type { OpenSite, SiteToOpen } from "../sites/open-site.ts";

type TaskSpec = JobSpec["tasks"][number];

/** What a task comes to: its outputs are texts of their names. `hangs`: it runs until it is cancelled. */
export type Behaviour = (spec: TaskSpec) => "succeeds" | "hangs" | FailureClass;

const NO_PREPARER: RuntimePreparer = {
  find: async () => null,
  prepare: () => Promise.reject(new WfError("WF_RUNTIME_UNAVAILABLE", "a simulated site has no runtimes")),
  foresee: () => Promise.reject(new WfError("WF_RUNTIME_UNAVAILABLE", "a simulated site has no runtimes")),
};

/**
 * A place to run without processes. It outlives the engines that open it, as a scheduler does: what was handed over
 * goes on, and records stay.
 */
export class SimulatedSite {
  /** Every job that was handed over, in order. */
  readonly jobs: JobSpec[] = [];
  /** What an engine did with the site: `open`, `submit`, `close`. */
  readonly calls: string[] = [];
  readonly #behaviour: Behaviour;
  readonly #records = new Map<string, TaskRecord>();
  readonly #hanging = new Map<string, () => void>();
  #onEvent: (event: BackendEvent) => void = () => undefined;

  constructor(behaviour: Behaviour = () => "succeeds") {
    this.#behaviour = behaviour;
  }

  /** As `openSite` does. `onClose` is called while the site is being closed. */
  opener(onClose: () => void = () => undefined): (wish: SiteToOpen, signal: AbortSignal) => Promise<OpenSite> {
    return async ({ folder, objects }) => {
      this.calls.push("open");
      return {
        storage: folder,
        backend: this.#backend(objects),
        preparer: NO_PREPARER,
        queue: null,
        accounts: null,
        content: null,
        close: async () => {
          this.calls.push("close");
          onClose();
        },
      };
    };
  }

  /** Lets what hangs succeed, whether or not an engine listens. */
  release(): void {
    for (const end of [...this.#hanging.values()]) end();
  }

  #backend(objects: ObjectStore): Backend {
    const finish = (job: JobSpec, spec: TaskSpec, failure: FailureClass | null) => {
      this.#hanging.delete(spec.attempt);
      const record = recordOf(job, spec, failure, objects);
      this.#records.set(spec.attempt, record);
      queueMicrotask(() => this.#onEvent({ type: "finished", attempt: spec.attempt, record }));
    };
    return {
      name: "simulated",
      capabilities: {
        capacity: { cpus: 4, memoryBytes: 8e9, gpus: 0 },
        maxInFlight: 100,
        arrays: false,
        fileTransfer: false,
        liveMetrics: false,
      },
      open: async (onEvent) => {
        this.#onEvent = onEvent;
      },
      submit: async (jobs) => {
        this.calls.push("submit");
        for (const job of jobs) {
          this.jobs.push(job);
          for (const spec of job.tasks) {
            this.#onEvent({ type: "started", attempt: spec.attempt, startedAt: Date.now() / 1000 });
            const outcome = this.#behaviour(spec);
            if (outcome === "hangs") this.#hanging.set(spec.attempt, () => finish(job, spec, null));
            else finish(job, spec, outcome === "succeeds" ? null : outcome);
          }
        }
      },
      cancel: async (attempts) => {
        for (const job of this.jobs) {
          for (const spec of job.tasks) {
            if (attempts.includes(spec.attempt) && this.#hanging.has(spec.attempt)) finish(job, spec, "cancelled");
          }
        }
      },
      adopt: async (attempts) => new Map(attempts.map((attempt) => [attempt, this.#fateOf(attempt)])),
      close: async () => {
        this.#onEvent = () => undefined;
        return null;
      },
    };
  }

  #fateOf(attempt: string): Adoption {
    const record = this.#records.get(attempt);
    if (record !== undefined) queueMicrotask(() => this.#onEvent({ type: "finished", attempt, record }));
    if (record !== undefined) return "finished";
    return this.#hanging.has(attempt) ? "running" : "never-submitted";
  }
}

function recordOf(job: JobSpec, spec: TaskSpec, failure: FailureClass | null, objects: ObjectStore): TaskRecord {
  const now = Date.now() / 1000;
  const { task, attempt } = spec;
  const at = { run: job.run, job: job.job, task, attempt, host: hostname(), startedAt: now, endedAt: now };
  const record = unmeasuredRecord(at, failure === null ? null : { class: failure, message: `it fails: ${failure}` });
  const made = spec.outputs.map(({ name, kind }): [string, Value] => [
    name,
    kind === "json" ? objects.putJson(name) : objects.putBytes(Buffer.from(`${task} ${name}`), `${name}.txt`),
  ]);
  return failure === null ? { ...record, outputs: Object.fromEntries(made) } : record;
}
