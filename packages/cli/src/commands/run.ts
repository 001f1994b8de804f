import { EXIT } from "@wf/core";
import {
  checkSecrets,
  executeRun,
  isPlanFile,
  jobsToWaitFor,
  makeOutputsFolder,
  preparePlanFile,
  startRun,
} from "@wf/run";
import type { RunOptions } from "../command-options.ts";
import { chooseView } from "../running/choose-view.ts";
import { detachRun } from "../running/detach-run.ts";
import { prepareFile } from "../running/prepare-file.ts";
import { tellDetached } from "../view/tell-detached.ts";

export async function run(file: string, options: RunOptions): Promise<number> {
  const view = chooseView(options);
  const note = (text: string) => view.note(text);
  const prepared = isPlanFile(file)
    ? await preparePlanFile(file, options.store, note)
    : await prepareFile(file, options, note);
  const { store, objects, graph, plan, loaded, site } = prepared;
  try {
    checkSecrets(graph, process.env);
    const after = jobsToWaitFor(options.after, site);
    for (const stage of plan.stages.values()) for (const warning of stage.warnings) view.note(warning);
    const outputs = options.outputs === undefined ? {} : { outputs: makeOutputsFolder(options.outputs) };
    const { run: name, settings } = await startRun(prepared, { ...options, ...outputs, after });
    if (options.detach) {
      const detached = await detachRun(name, store, prepared.project.root);
      tellDetached(name, detached, options);
      return EXIT.ok;
    }
    const inputs = Object.fromEntries([...prepared.inputs].map(([input, { value }]) => [input, value]));
    return await executeRun({
      run: name,
      settings,
      store,
      objects,
      graph,
      plan,
      inputs,
      bundleHash: loaded.hash,
      siteName: site.name,
      view,
    });
  } finally {
    store.close();
  }
}
