import { EXIT } from "@wf/protocol";
import { findProject, makeOutputsFolder, reopenRun } from "@wf/run";
import type { ResumeOptions } from "../command-options.ts";
import { chooseView } from "../running/choose-view.ts";
import { detachRun } from "../running/detach-run.ts";
import { executeHere } from "../running/execute-here.ts";
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

export async function resume(run: string | undefined, options: ResumeOptions): Promise<number> {
  const project = findProject(process.cwd(), options.store);
  const view = chooseView(options);
  const { keepGoing = options.failFast ? false : undefined, retries, outputs } = options;
  const started = await reopenRun(run ?? "last", project, { keepGoing, retries, outputs }, (text) => view.note(text));
  try {
    if (options.detach) {
      tellDetached(started.run, await detachRun(started.run, started.store, project.root, wordsOf(options)), options);
      return EXIT.ok;
    }
    return await executeHere(started, view);
  } finally {
    started.store.close();
  }
}
