import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Capabilities, LeftInQueue } from "@wf/backend";
import type { Graph, Node, Scope } from "@wf/core";
import { type Movement, syncStorage } from "@wf/data";
import { Engine } from "@wf/engine";
import { placeFiles, type StagePlan } from "@wf/planner";
import { type Json, localRunFolder, siteRunFolder, type Value, WfError } from "@wf/protocol";
import { mostMemoryBytes } from "@wf/site";
import type { Store } from "@wf/store";
import { type Ask, steadyNow } from "@wf/transport";
import type { Logger } from "pino";
import type { IsKept } from "../planning/known-results.ts";
import { resolvedInputs } from "../planning/preparation.ts";
import { keepValue, valueOps } from "../planning/value-ops.ts";
import { keepAccounts } from "../sites/keep-accounts.ts";
import { type OpenSite, openSite } from "../sites/open-site.ts";
import { tellQueue } from "../sites/tell-queue.ts";
import { createFnHost } from "./fn-host.ts";
import { journalOf } from "./journal.ts";
import { memoryOf } from "./memory.ts";
import { outputFolder, type RunOutputs, writeOutputs } from "./outputs.ts";
import { ownRun } from "./own-run.ts";
import type { RunControl } from "./run-control.ts";
import type { RunEvent, RunSummary, StageStart } from "./run-event.ts";
import { logFact, openRunLog } from "./run-log.ts";
import { modelsOf } from "./run-models.ts";
import type { StartedRun } from "./started-run.ts";

/** How a run is followed and stopped. */
export interface ExecuteOptions {
  /** Hears what happens, at once and in order: what takes time here holds the run up. */
  readonly onEvent: (event: RunEvent) => void;
  readonly control: RunControl;
  /** Asks a person for passphrases and one-time codes of a site. */
  readonly ask: Ask;
  /** Default: the site of the run's settings. */
  readonly openSite?: typeof openSite;
}

const NO_OUTPUTS: RunOutputs = { values: {}, metrics: {}, summaries: {} };

/** Runs to the end, or to where somebody stops it. */
export async function executeRun(work: StartedRun, options: ExecuteOptions): Promise<RunSummary> {
  const { run, store } = work;
  const log = openRunLog(store.folder, run);
  // Law: what is marked on a site as in use belongs to the owner of the run, so that the lease goes last.
  const disown = ownRun(store, run, options.control);
  try {
    const site = await openSiteOf(work, options, log).catch((error: unknown) => {
      log.error({ err: error }, "run.broke");
      endBadly(store.journal(run), error, options.control.isCancelled ? "cancelled" : "failed");
      throw error;
    });
    try {
      return await executeOn(site, work, options, log);
    } finally {
      await site.close();
    }
  } finally {
    disown();
  }
}

async function openSiteOf(work: StartedRun, options: ExecuteOptions, log: Logger): Promise<OpenSite> {
  const { run, settings, siteName, store, objects } = work;
  const { folder } = store;
  const journal = store.journal(run);
  const note = (text: string) => {
    log.info(text);
    options.onEvent({ type: "note", text });
  };
  const onMoved = ({ direction, ...moved }: Movement) => {
    const [source, destination] = direction === "there" ? [folder, work.siteName] : [work.siteName, folder];
    journal.transferred({ kind: direction === "there" ? "upload" : "download", source, destination, ...moved });
  };
  const wish = {
    run,
    site: settings.site,
    siteName,
    after: settings.after,
    folder,
    objects,
    note,
    ask: options.ask,
    onMoved,
    canReuse: !store.hasNoResults,
  };
  return await (options.openSite ?? openSite)(wish, options.control.opening);
}

async function executeOn(
  site: OpenSite,
  work: StartedRun,
  { onEvent, control }: ExecuteOptions,
  log: Logger,
): Promise<RunSummary> {
  const { run, settings, store, objects, graph, plan } = work;
  const { signal } = new AbortController();
  const { folder } = store;
  const journal = store.journal(run);
  const { capacity } = settings.site;
  const { storage, backend, content } = site;
  const [here, there] = [localRunFolder(folder, run), siteRunFolder(storage, run)];
  const bring = async (values: readonly Value[]) => void (await content?.fetch(values, signal));
  const isKept: IsKept = (hash, size) => objects.isIntact(hash, size) || content?.has(hash, size) === true;
  const engine = new Engine({
    run,
    graph,
    plan,
    storage,
    host: hostname(),
    inputs: resolvedInputs(Object.entries(work.inputs)),
    ops: valueOps(objects),
    memory: memoryOf(run, store.memory(run), objects, isKept),
    journal: journalOf(journal, objects),
    backend,
    preparer: site.preparer,
    fnHost: createFnHost({
      graph,
      objects,
      params: graph.params,
      bundleUrl: pathToFileURL(join(folder, "bundles", `${work.bundleHash}.mjs`)).href,
      attemptFolder: (attempt) => here.attempt(attempt).root,
      bring,
    }),
    spec: {
      artifacts: { keep: (value) => keepValue(objects, value) },
      placement: placeFiles(settings.site.placement),
      siteEnv: settings.site.env,
      python: settings.site.python ?? "python3",
      sandboxOf: (attempt) => there.attempt(attempt).sandbox,
      secret: secretValue,
    },
    useCache: settings.useCache,
    keepGoing: settings.keepGoing,
    retries: settings.retries,
    slots: Math.min(slotsOf(backend.capabilities), backend.capabilities.maxInFlight),
    mostInFlight: backend.capabilities.maxInFlight,
    mostMemoryBytes: (asked) =>
      mostMemoryBytes(settings.site, asked, backend.capabilities.capacity?.memoryBytes ?? Number.POSITIVE_INFINITY),
    random: Math.random,
    // Somebody may turn the clock of the machine while tasks rest: it must not make them rest for hours.
    clock: { now: steadyNow },
    onFact: (fact) => {
      logFact(log, fact);
      onEvent(fact);
    },
  });

  const startedAt = Date.now();
  control.steer(engine, log);
  const stopAsking = site.accounts === null ? undefined : keepAccounts(store, run, site.accounts);
  const stopTelling =
    site.queue === null
      ? undefined
      : tellQueue({ folder, run }, site.queue, (state) => onEvent({ type: "queue", state }));
  log.info({ workflow: graph.workflow, site: work.siteName, capacity }, "run.started");
  try {
    journal.runStarted();
    onEvent({
      type: "run.started",
      id: run,
      workflow: graph.workflow,
      site: work.siteName,
      storage: folder,
      cpus: backend.capabilities.capacity?.cpus ?? null,
      stages: stagesToShow(graph, plan),
    });
    const status = await engine.run();
    const place = settings.outputs ?? outputFolder(folder, run);
    const outputs =
      status === "succeeded"
        ? await writeOutputs(graph, (name) => engine.output(name), { objects, folder: place, run, bring })
        : NO_OUTPUTS;
    // Law: what a run has made is on disk before the store says that it succeeded.
    if (status === "succeeded") await syncStorage(folder, [place]);
    log.info({ status }, "run.ended");
    const models = status === "succeeded" ? modelsOf(graph, outputs.values, (ref) => engine.resolve(ref)) : [];
    const registered = journal.durably(() => {
      journal.runFinished({ status, outputs: outputs.values, metrics: outputs.metrics as never, error: null });
      return journal.registerModels(models);
    });
    const summary: RunSummary = {
      run,
      status,
      outputs: outputs.summaries,
      metrics: outputs.metrics,
      models: registered,
      seconds: (Date.now() - startedAt) / 1000,
    };
    onEvent({ type: "run.finished", ...summary });
    return summary;
  } catch (broken) {
    const error = withLeftovers(broken, engine.leftInQueue, run);
    log.error({ err: error }, "run.broke");
    endBadly(journal, error, "failed");
    onEvent({
      type: "run.finished",
      run,
      status: "failed",
      outputs: {},
      metrics: {},
      models: [],
      seconds: (Date.now() - startedAt) / 1000,
    });
    throw error;
  } finally {
    stopTelling?.();
    await stopAsking?.();
  }
}

/** What is left in a queue is part of why a run broke off: the store and the screen say it. */
function withLeftovers(error: unknown, left: LeftInQueue | null, run: string): unknown {
  if (left === null) return error;
  const { code, message, where, hint } =
    error instanceof WfError ? error : new WfError("WF_INTERNAL", String(error instanceof Error ? error.stack : error));
  const rest = `Still in the queue: ${left.jobs.join(" ")}. wf resume ${run} takes over what they make; this ends them: ${left.remove}`;
  return new WfError(code, `${message}\n${rest}`, { where, hint: hint ?? `wf resume ${run}`, cause: error });
}

/** The store may be what broke; then the run stays as it is and can be resumed. */
function endBadly(journal: ReturnType<Store["journal"]>, error: unknown, status: "failed" | "cancelled"): void {
  const stored: Json =
    error instanceof WfError ? (error.toJSON() as Json) : { code: "WF_INTERNAL", message: String(error) };
  try {
    journal.runFinished({ status, outputs: null, metrics: null, error: stored });
  } catch {
    // The first error is the one to tell.
  }
}

function slotsOf({ capacity }: Capabilities): number {
  return capacity === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(capacity.cpus));
}

function secretValue(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new WfError("WF_USAGE", `the secret ${name} is not in the environment`, {
    hint: `export ${name}=… before you start wf`,
  });
}

/** A stage outside of all bodies has one task; others grow as their map, loop or condition unfolds. */
function stagesToShow(graph: Graph, plan: StagePlan): StageStart[] {
  return [...plan.stages.values()].map(({ node }) => {
    const owner = (graph.scopes[node.scope] as Scope).owner;
    if (owner === undefined) return { stage: node.id, count: 1 };
    return {
      stage: node.id,
      count: null,
      grownBy: { node: owner, isOnce: (graph.nodes.get(owner) as Node).scope === 0 },
    };
  });
}
