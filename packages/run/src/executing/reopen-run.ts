import { join } from "node:path";
import { WfError } from "@wf/protocol";
import { Store } from "@wf/store";
import { checkSecrets } from "../planning/check-secrets.ts";
import { contentOf } from "../planning/damaged-content.ts";
import { holdContent } from "../planning/hold-content.ts";
import { knownSites } from "../planning/known-sites.ts";
import { planForSite } from "../planning/plan-for-site.ts";
import { RunSettings } from "../planning/run-settings.ts";
import type { Project } from "../project.ts";
import { resumedSite } from "../sites/run-site.ts";
import { loadBundle } from "../workflow-file/load-bundle.ts";
import { makeOutputsFolder } from "./outputs-folder.ts";
import type { StartedRun } from "./started-run.ts";

/** What a resumed run may do otherwise than it was started with. */
export interface ResumeChanges {
  readonly keepGoing?: boolean | undefined;
  readonly retries?: number | undefined;
  readonly outputs?: string | undefined;
}

/**
 * A run of the store, planned for its site as it was when it started. It replays the stored bundle, never the edited
 * file; what has ended stays, what runs is adopted. The caller closes its store.
 */
export async function reopenRun(
  run: string,
  { root, storeFolder }: Project,
  changes: ResumeChanges,
  note: (text: string) => void,
): Promise<StartedRun> {
  const store = Store.open(storeFolder);
  try {
    const name = store.findRun(run);
    const { status, params, inputs, options: stored, site: siteName, tasks } = store.run(name);
    if (status === "succeeded") {
      throw new WfError("WF_USAGE", `${name} has already succeeded`, {
        where: `run ${name}`,
        hint: `look at it with: wf show ${name}; run the workflow again with: wf run FILE`,
      });
    }
    await holdContent(store, note);
    const { source, file, hash } = store.workflow(name);
    const kept = { hash, where: `run ${name}`, hint: `run the workflow again: wf run ${file}` };
    const { workflow } = await loadBundle({ bundle: source, file, kept }, join(storeFolder, "bundles"));
    const graph = workflow.toGraph(params, Object.keys(inputs));
    checkSecrets(graph, process.env);
    const before = RunSettings.parse(stored);
    const settings: RunSettings = {
      ...before,
      site: resumedSite(before.site, knownSites(root).get(siteName)),
      keepGoing: changes.keepGoing ?? before.keepGoing,
      retries: changes.retries ?? before.retries,
      outputs: changes.outputs === undefined ? before.outputs : makeOutputsFolder(changes.outputs),
      // SLURM forgets jobs that have ended: what something of the run had waited for is waited for no more.
      after: tasks.done + tasks.failed + tasks.running > 0 ? [] : before.after,
    };
    const plan = planForSite({
      graph,
      siteName,
      site: settings.site,
      code: new Map(Object.entries(settings.code)),
      wishes: new Map(Object.entries(settings.wishes)),
      bundleHash: hash,
    });
    const objects = contentOf(storeFolder, note);
    return { run: name, settings, store, objects, graph, plan, inputs, bundleHash: hash, siteName };
  } catch (error) {
    store.close();
    throw error;
  }
}
