import { EXIT } from "@wf/protocol";
import type { Store } from "@wf/store";
import type { GlobalOptions } from "../command-options.ts";
import { completeAccounts } from "../looking/complete-accounts.ts";
import { runDocument, runLines } from "../looking/show-run.ts";
import { isStage, stageDocument, stageLines } from "../looking/show-stage.ts";
import { taskDocument, taskLines } from "../looking/show-task.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** Everything worth knowing about a run, or about one of its tasks; for a stage, a list of its tasks. */
export async function show(
  run: string | undefined,
  task: string | undefined,
  options: GlobalOptions,
  screen: Screen = screenOf(process.stdout, options),
  notes: Screen = screenOf(process.stderr, options),
): Promise<number> {
  return withStore(options, async (store) => {
    const { name, part } = whatIsMeant(store, run ?? "last", task);
    if (part !== undefined) await completeAccounts(store, name, (text) => printLines(notes, [text]));
    if (part === undefined) {
      if (options.json) printJson(screen, runDocument(store, name));
      else printLines(screen, runLines(store, name, screen));
    } else if (isStage(store, name, part)) {
      if (options.json) printJson(screen, stageDocument(store, name, part));
      else printLines(screen, stageLines(store, name, part, screen));
    } else if (options.json) printJson(screen, taskDocument(store, name, part));
    else printLines(screen, taskLines(store, name, part, screen));
    return EXIT.ok;
  });
}

/** `wf show train.3`: a word that fits no run may be a task, or a stage, of the last one. */
function whatIsMeant(store: Store, run: string, part: string | undefined): { name: string; part: string | undefined } {
  try {
    return { name: store.findRun(run), part };
  } catch (error) {
    const last = store.findRun("last");
    if (part !== undefined || !isPart(store, last, run)) throw error;
    return { name: last, part: run };
  }
}

function isPart(store: Store, run: string, name: string): boolean {
  if (store.stages(run).some(({ stage }) => stage === name)) return true;
  return store.tasks(run, { text: name }).tasks.some(({ task }) => task === name);
}
