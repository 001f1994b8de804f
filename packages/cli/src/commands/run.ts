import { EXIT } from "@wf/protocol";
import { isPlanFile, preparePlanFile, startRun } from "@wf/run";
import type { RunOptions } from "../command-options.ts";
import { chooseView } from "../running/choose-view.ts";
import { detachRun } from "../running/detach-run.ts";
import { executeHere } from "../running/execute-here.ts";
import { prepareWords } from "../running/prepare-words.ts";
import { tellDetached } from "../view/tell-detached.ts";

export async function run(file: string, options: RunOptions): Promise<number> {
  const view = chooseView(options);
  const note = (text: string) => view.note(text);
  const prepared = isPlanFile(file)
    ? await preparePlanFile(file, options.store, note)
    : await prepareWords(file, options, note);
  try {
    const started = await startRun(prepared, options, note);
    if (options.detach) {
      const detached = await detachRun(started.run, started.store, prepared.project.root);
      tellDetached(started.run, detached, options);
      return EXIT.ok;
    }
    return await executeHere(started, view);
  } finally {
    prepared.store.close();
  }
}
