import { join } from "node:path";
import { EXIT, WfError } from "@wf/core";
import { planStages } from "@wf/planner";
import {
  checkSecrets,
  contentOf,
  executeRun,
  findProject,
  holdContent,
  knownSites,
  loadBundle,
  makeOutputsFolder,
  RunSettings,
  resumedSite,
} from "@wf/run";
import { LOCAL_SITE } from "@wf/site";
import { Store } from "@wf/store";
import type { ResumeOptions } from "../command-options.ts";
import { chooseView } from "../running/choose-view.ts";
import { detachRun } from "../running/detach-run.ts";
import { tellDetached } from "../view/tell-detached.ts";

/** What the process in the background has to be told again. */
function wordsOf({ keepGoing, failFast, retries, outputs }: ResumeOptions): string[] {
  return [
    ...(keepGoing ? ["--keep-going"] : []),
    ...(failFast ? ["--fail-fast"] : []),
    ...(retries === undefined ? [] : ["--retries", `${retries}`]),
    ...(outputs === undefined ? [] : ["--outputs", makeOutputsFolder(outputs)]),
  ];
}

/** Replays the stored bundle, never the edited file; what has ended stays, what runs is adopted. */
export async function resume(run: string | undefined, options: ResumeOptions): Promise<number> {
  const { root, storeFolder } = findProject(process.cwd(), options.store);
  const store = Store.open(storeFolder);
  try {
    const name = store.findRun(run ?? "last");
    const { status, params, inputs, options: stored, site, tasks } = store.run(name);
    if (status === "succeeded") {
      throw new WfError("WF_USAGE", `${name} has already succeeded`, {
        where: `run ${name}`,
        hint: `look at it with: wf show ${name}; run the workflow again with: wf run FILE`,
      });
    }
    const view = chooseView(options);
    await holdContent(store, (text) => view.note(text));
    const { source, file, hash } = store.workflow(name);
    const kept = { hash, where: `run ${name}`, hint: `run the workflow again: wf run ${file}` };
    const { workflow } = await loadBundle({ bundle: source, file, kept }, join(storeFolder, "bundles"));
    const graph = workflow.toGraph(params, Object.keys(inputs));
    checkSecrets(graph, process.env);
    const before = RunSettings.parse(stored);
    const settings: RunSettings = {
      ...before,
      site: resumedSite(before.site, knownSites(root).get(site)),
      keepGoing: options.keepGoing ?? (options.failFast ? false : before.keepGoing),
      retries: options.retries ?? before.retries,
      outputs: options.outputs === undefined ? before.outputs : makeOutputsFolder(options.outputs),
      // SLURM forgets jobs that have ended: what something of the run had waited for is waited for no more.
      after: tasks.done + tasks.failed + tasks.running > 0 ? [] : before.after,
    };
    if (options.detach) {
      tellDetached(name, await detachRun(name, store, root, wordsOf(options)), options);
      return EXIT.ok;
    }
    const { capacity, clustering, placement } = settings.site;
    const plan = planStages({
      graph,
      capacity,
      site: { ...LOCAL_SITE, name: site, clustering, placement },
      code: new Map(Object.entries(settings.code)),
      wishes: new Map(Object.entries(settings.wishes)),
      bundleHash: hash,
    });
    const objects = contentOf(storeFolder, (text) => view.note(text));
    return await executeRun({
      run: name,
      settings,
      store,
      objects,
      graph,
      plan,
      inputs,
      bundleHash: hash,
      siteName: site,
      view,
    });
  } finally {
    store.close();
  }
}
