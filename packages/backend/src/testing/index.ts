/**
 * Jobs for tests, of which a test names only what it is about.
 *
 * ```ts
 * const job = sampleJob([sampleTask("train@1", { cpus: 4 })], { cpus: 4 });
 * ```
 */
export { sampleJob, sampleTask } from "./sample-job.ts";
