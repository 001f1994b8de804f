import { randomBytes } from "node:crypto";
import type { ClusterBackend } from "@wf/backend-cluster";
import { type JobSpec, siteRunFolder, type TaskRecord } from "@wf/protocol";
import { type ClusterSettings, clusterBackend } from "@wf/run";
import { formatDuration } from "../../format/duration.ts";
import { type Check, type Diagnosis, fail, ok, warn } from "../diagnosis.ts";
import { type ClusterPlace, settingOf } from "./cluster-place.ts";

const PATIENCE_MS = 60_000;
/** For the way there, and for cancelling it. */
const TIDYING_MS = 60_000;
const ATTEMPT = "doctor@1";

/**
 * One small job, on the way that every job of a run takes. It proves what the login node cannot: that a node sees the
 * storage, runs the lines of setup and has the Python. It leaves nothing behind.
 */
export function checkJob(cluster: ClusterPlace, settings: ClusterSettings): Check {
  return {
    name: "job",
    async examine() {
      const place = { ...cluster, signal: AbortSignal.timeout(PATIENCE_MS + TIDYING_MS) };
      const { transport, storage, python, signal } = place;
      const run = `doctor-${randomBytes(6).toString("hex")}`;
      const backend = clusterBackend(quick(settings), { run, storage, transport, python });
      try {
        return await submitAndWait(place, backend, run);
      } finally {
        await backend.close(signal);
        await transport.remove(siteRunFolder(storage, run).root, signal);
      }
    },
  };
}

/** Nothing is gained by waiting for equal jobs, or by asking seldom. */
const QUICK = { batchWindow: 0, poll: { every: 2, atMost: 10 } } as const;

function quick(site: ClusterSettings): ClusterSettings {
  return site.backend === "slurm"
    ? { ...site, slurm: { ...site.slurm, ...QUICK } }
    : { ...site, htcondor: { ...site.htcondor, ...QUICK } };
}

async function submitAndWait(place: ClusterPlace, backend: ClusterBackend, run: string): Promise<Diagnosis> {
  const { storage, signal } = place;
  const submitted = performance.now();
  const { promise: ended, resolve, reject } = withResolvers<TaskRecord | null>();
  const timer = setTimeout(() => resolve(null), PATIENCE_MS);
  try {
    await backend.open((event) => {
      if (event.type === "finished") resolve(event.record);
      if (event.type === "broken") reject(event.error);
    }, signal);
    await backend.submit([smallJob(run, storage)], signal);
    const record = await ended;
    return record === null
      ? await giveUp(place, backend)
      : judge(place, record, (performance.now() - submitted) / 1000);
  } finally {
    clearTimeout(timer);
  }
}

function judge(place: ClusterPlace, { failure, host }: TaskRecord, seconds: number): Diagnosis {
  if (failure === null) return ok(`ran on ${host}, and its record was here after ${formatDuration(seconds)}`);
  const { backend, placement } = place.site;
  const look = `Look at ${settingOf(place, "storage")}, python and ${backend}.setup`;
  const isSharedPool = backend === "htcondor" && placement === "shared";
  return fail(
    `a small job failed (${failure.class}): ${failure.message}`,
    `what differs on the ${machinesOf(place)}? ${look}${isSharedPool ? "; where they do not see the storage, set placement to transfer" : ""}`,
  );
}

async function giveUp(place: ClusterPlace, backend: ClusterBackend): Promise<Diagnosis> {
  const [reason = "it left no record"] = backend.queueState().waiting.keys();
  await backend.cancel([ATTEMPT], place.signal);
  return warn(
    `a small job was not over after a minute (${reason}), and was cancelled`,
    `the queue may be long: look at it there; if it ran, do the ${machinesOf(place)} see the storage?`,
  );
}

function machinesOf({ site }: ClusterPlace): string {
  return site.backend === "htcondor" ? "machines" : "nodes";
}

function withResolvers<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

function smallJob(run: string, storage: string): JobSpec {
  return {
    version: 1,
    run,
    job: "doctor",
    storage,
    cpus: 1,
    memoryBytes: 0,
    gpus: 0,
    tasks: [
      {
        task: "doctor",
        attempt: ATTEMPT,
        after: [],
        argv: ["true"],
        env: {},
        inputs: [],
        outputs: [],
        params: {},
        cpus: 1,
        memoryBytes: 0,
        gpus: 0,
        timeLimitSeconds: 60,
        graceSeconds: 1,
        warnSeconds: 0,
        keepSandbox: "never",
      },
    ],
  };
}
