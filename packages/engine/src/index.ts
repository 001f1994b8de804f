/**
 * Runs a plan: a pure state machine says what follows from an event, and the engine carries it out.
 *
 * ```ts
 * const engine = new Engine({ run, graph, plan, inputs, ops, memory, backend, journal, … });
 * const status = await engine.run(); // "succeeded"
 * ```
 */

export type { Effects, RunEvent, RunStatus } from "./effects.ts";
export { Engine, type EngineOptions } from "./engine.ts";
export type { Fact, FailureCause, TaskEnd } from "./fact.ts";
export type { Artifacts, Clock, FnCall, FnHost, FnResult, FnUsage, Journal, Memory, OpenAttempt } from "./ports.ts";
export { RunMachine } from "./run-machine.ts";
export type { RunOptions } from "./run-options.ts";
export { type SpecContext, taskSpec } from "./task-spec.ts";
