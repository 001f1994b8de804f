/**
 * Runs jobs on this machine: a launcher of the run starts, measures and records them, and outlives the engine.
 *
 * @example
 * const { signal } = new AbortController();
 * const backend = createLocalBackend({ run: "r1", storage: "/data/.wf", capacity: await detectCapacity(signal) });
 * await backend.open((event) => console.log(event.type), signal);
 */
export { detectCapacity } from "./capacity.ts";
export { checkPython, findPython } from "./find-python.ts";
export { createLocalBackend, type LocalBackend, type LocalBackendOptions } from "./local-backend.ts";
export { createLocalPreparer, type LocalPreparerOptions } from "./local-preparer.ts";
export { readPreparedRuntime } from "./read-prepared-runtime.ts";
