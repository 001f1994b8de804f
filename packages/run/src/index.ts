/**
 * The one pipeline, from a workflow's file to a run that has ended. Programs come in by `./library`, which is `wf/run`.
 *
 * ```ts
 * const prepared = await prepareFile("flow.ts", settings, note);
 * const started = await startRun(prepared, { cache: true, after: [] }, note); // or reopenRun(…)
 * const { status } = await executeRun(started, { onEvent, control: new RunControl(), ask: askOnTerminal });
 * ```
 */

export { codeFrame } from "./checking/code-frame.ts";
export { refreshEditorConfig, writeEditorConfig } from "./checking/editor-config.ts";
export type { Finding } from "./checking/finding.ts";
export { lintGraph } from "./checking/lint-graph.ts";
export { typeCheck } from "./checking/type-check.ts";
export { AttemptFiles, repeatLine } from "./executing/attempt-files.ts";
export { executeRun } from "./executing/execute-run.ts";
export { outputFolder, summariseOutput } from "./executing/outputs.ts";
export { makeOutputsFolder } from "./executing/outputs-folder.ts";
export { type ResumeChanges, reopenRun } from "./executing/reopen-run.ts";
export { RunControl } from "./executing/run-control.ts";
export type { OutputSummary, RunEnd, RunEvent, RunStart, RunSummary, StageStart } from "./executing/run-event.ts";
export { type StartOptions, startRun } from "./executing/start-run.ts";
export type { StartedRun } from "./executing/started-run.ts";
export { knownFunctions } from "./exporting/known-functions.ts";
export { checkExportFolder, writeExport } from "./exporting/write-export.ts";
export { pythonProjects, wishesOf } from "./inputs/runtime-wishes.ts";
export { readSmallFile } from "./inputs/small-file.ts";
export { checkSecrets } from "./planning/check-secrets.ts";
export { contentOf } from "./planning/damaged-content.ts";
export { ForeseenRuntimes, showWish } from "./planning/foreseen-runtimes.ts";
export { holdContent } from "./planning/hold-content.ts";
export { jobsToWaitFor } from "./planning/jobs-to-wait-for.ts";
export type { IsKept } from "./planning/known-results.ts";
export { clusteringOf, knownSites, siteFor } from "./planning/known-sites.ts";
export { isPlanFile, planHeader, preparePlanFile } from "./planning/plan-file.ts";
export { PlanWriter } from "./planning/plan-writer.ts";
export { plannedLines } from "./planning/planned-lines.ts";
export { type PlanSettings, type Preparation, planRequest, prepare } from "./planning/preparation.ts";
export { prepareFile } from "./planning/prepare-file.ts";
export { RunSettings, RunSite } from "./planning/run-settings.ts";
export { keepValue } from "./planning/value-ops.ts";
export { lastState, printedLine } from "./printed-line.ts";
export { findProject, type Project } from "./project.ts";
export { shortPath } from "./short-path.ts";
export { askEndings, type ClusterSite } from "./sites/ask-endings.ts";
export { AttemptsElsewhere } from "./sites/attempts-elsewhere.ts";
export { type ClusterSettings, clusterBackend } from "./sites/cluster-backend.ts";
export { contentThere } from "./sites/content-there.ts";
export { askAccounting, jobsToAskAbout } from "./sites/keep-accounts.ts";
export { openTransport, sshWords } from "./sites/open-transport.ts";
export type { QueueState } from "./sites/queue-state.ts";
export { capacityOf, resumedSite, schedulerOf } from "./sites/run-site.ts";
export { makeSharedStorage } from "./sites/shared-storage.ts";
export { siteStorage } from "./sites/site-storage.ts";
export { storeIdentity } from "./sites/store-identity.ts";
export { type Needs, type Swept, sweepSite } from "./sites/sweep-site.ts";
export { tellQueue, toldQueue } from "./sites/tell-queue.ts";
export { verifySite } from "./sites/verify-site.ts";
export { loadBundle } from "./workflow-file/load-bundle.ts";
export { inspectWorkflow, loadWorkflow } from "./workflow-file/load-workflow.ts";
