import { parentPort, workerData } from "node:worker_threads";
import { type IngestJob, ingestBatch } from "./ingest-file.ts";

/** The thread's side of `ingest-pool.ts`: a batch in, a batch out, until the pool ends it. */
const { root } = workerData as { readonly root: string };

parentPort?.on("message", (batch: readonly IngestJob[]) => {
  parentPort?.postMessage(ingestBatch(root, batch));
});
