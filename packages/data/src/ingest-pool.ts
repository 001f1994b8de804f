import { once } from "node:events";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type IngestJob, type IngestResult, ingestBatch } from "./ingest-file.ts";

/** What one file costs a single thread, roughly: it decides only whether threads are worth their start. */
const FILE_SECONDS = 0.0001;
const BYTES_PER_SECOND = 500_000_000;
const INLINE_SECONDS = 0.25;
const BATCH_SECONDS = 0.02;

/**
 * Ingests files, in the order of `jobs`: at once in this thread when that is quick, else in as many threads as there
 * are cores. The first failure ends the work, and what follows it in the order may be missing from the results.
 * Threads live as long as the call. An abort ends them; what they published by then stays and is harmless.
 */
export async function ingestFiles(
  root: string,
  jobs: readonly IngestJob[],
  signal: AbortSignal | undefined,
): Promise<readonly IngestResult[]> {
  signal?.throwIfAborted();
  if (secondsFor(jobs) < INLINE_SECONDS) return ingestBatch(root, jobs);

  const batches = batchesOf(jobs);
  const results: (readonly IngestResult[])[] = [];
  let next = 0;
  const workers = Array.from({ length: Math.min(availableParallelism(), batches.length) }, () => startWorker(root));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let index = next++; index < batches.length; index = next++) {
          const answer = once(worker, "message", signal === undefined ? {} : { signal });
          worker.postMessage(batches[index]);
          const [done] = (await answer) as [readonly IngestResult[]];
          results[index] = done;
          if (done.at(-1)?.is !== "stored") next = batches.length;
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results.flat();
}

/** Named in the package's `imports`, so that it is the built file whoever has loaded or bundled this one. */
function startWorker(root: string): Worker {
  const entry = createRequire(import.meta.url).resolve("#ingest-worker");
  return new Worker(entry, { workerData: { root }, execArgv: [] });
}

function secondsFor(jobs: readonly IngestJob[]): number {
  return jobs.reduce((seconds, job) => seconds + cost(job), 0);
}

function cost(job: IngestJob): number {
  return FILE_SECONDS + job.stamp.size / BYTES_PER_SECOND;
}

/** Small enough that no thread is left with much more than the others, large enough that messages cost nothing. */
function batchesOf(jobs: readonly IngestJob[]): readonly IngestJob[][] {
  const batches: IngestJob[][] = [];
  let room = 0;
  for (const job of jobs) {
    if (room <= 0) {
      batches.push([]);
      room = BATCH_SECONDS;
    }
    batches.at(-1)?.push(job);
    room -= cost(job);
  }
  return batches;
}
