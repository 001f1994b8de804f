import { join } from "node:path";
import { WfError } from "@wf/core";
import { ObjectStore } from "@wf/data";
import { planStages } from "@wf/planner";
import { LOCAL_SITE } from "@wf/site";
import { Store } from "@wf/store";
import type { ResumeOptions } from "../command-options.ts";
import { findProject } from "../project.ts";
import { checkSecrets } from "../running/check-secrets.ts";
import { chooseView } from "../running/choose-view.ts";
import { executeRun } from "../running/execute-run.ts";
import { knownSites } from "../running/known-sites.ts";
import { makeOutputsFolder } from "../running/outputs-folder.ts";
import { RunSettings } from "../running/run-settings.ts";
import { resumedSite } from "../sites/run-site.ts";
import { loadBundle } from "../workflow-file/load-bundle.ts";

/** Replays the stored bundle, never the edited file; what has ended stays, what runs is adopted. */
export async function resume(run: string | undefined, options: ResumeOptions): Promise<number> {
  const { root, storeFolder } = findProject(process.cwd(), options.store);
  const store = Store.open(storeFolder);
  try {
    const name = store.findRun(run ?? "last");
    const { status, params, inputs, options: stored, site } = store.run(name);
    if (status === "succeeded") {
      throw new WfError("WF_USAGE", `${name} has already succeeded`, {
        where: `run ${name}`,
        hint: `look at it with: wf show ${name}; run the workflow again with: wf run FILE`,
      });
    }
    const { source, file } = store.workflow(name);
    const { workflow, hash } = await loadBundle({ bundle: source, file }, join(storeFolder, "bundles"));
    const graph = workflow.toGraph(params, Object.keys(inputs));
    checkSecrets(graph, process.env);
    const kept = RunSettings.parse(stored);
    const settings: RunSettings = {
      ...kept,
      site: resumedSite(kept.site, knownSites(root).get(site)),
      keepGoing: options.keepGoing ?? (options.failFast ? false : kept.keepGoing),
      outputs: options.outputs === undefined ? kept.outputs : makeOutputsFolder(options.outputs),
    };
    const { capacity, clustering, placement } = settings.site;
    const plan = planStages({
      graph,
      capacity,
      site: { ...LOCAL_SITE, name: site, clustering, placement },
      code: new Map(Object.entries(settings.code)),
      wishes: new Map(Object.entries(settings.wishes)),
      bundleHash: hash,
    });
    const objects = new ObjectStore(storeFolder);
    const view = chooseView(options);
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
