/**
 * Workflows from a program: run them, follow them, stop them, and read what they left. Nothing is printed, and no
 * process is ended.
 *
 * ```ts
 * import { openStore, run } from "wf/run";
 *
 * const going = run("workflow.ts", { params: { epochs: 8 }, site: "cluster" });
 * for await (const event of going) if (event.type === "task.ended") console.log(event.task, event.state);
 * const { run: name, status, outputs } = await going.result;
 * const store = openStore();
 * store.trace(name).totals.cpuHours;
 * ```
 */

export type { PlanLine } from "@wf/planner";
export { WfError } from "@wf/protocol";
export type { Store } from "@wf/store";
export type { Ask } from "@wf/transport";
export type { OutputSummary, RunEvent, RunSummary } from "../executing/run-event.ts";
export type { RunInProgress } from "../executing/run-in-progress.ts";
export { type OpenStoreOptions, openStore } from "../open-store.ts";
export { plan } from "../plan.ts";
export { resume, run } from "../run.ts";
export type { PlanOptions, ResumeOptions, RunOptions } from "../run-options.ts";
