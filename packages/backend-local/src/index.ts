/**
 * Runs jobs on this machine: a launcher of the run starts, measures and records them, and outlives the engine.
 *
 * @example
 * const { signal } = new AbortController();
 * const backend = createLocalBackend({ run: "r1", storage: "/data/.wf", capacity: await detectCapacity(signal) });
 * await backend.open((event) => console.log(event.type), signal);
 */
export { detectCapacity } from "./capacity.ts";
export { createLocalBackend, type LocalBackend, type LocalBackendOptions } from "./local-backend.ts";
