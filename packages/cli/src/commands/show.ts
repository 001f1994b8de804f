import { EXIT } from "@wf/core";
import type { GlobalOptions } from "../command-options.ts";
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
): Promise<number> {
  return withStore(options, (store) => {
    const name = store.findRun(run ?? "last");
    if (task === undefined) {
      if (options.json) printJson(screen, runDocument(store, name));
      else printLines(screen, runLines(store, name, screen));
    } else if (isStage(store, name, task)) {
      if (options.json) printJson(screen, stageDocument(store, name, task));
      else printLines(screen, stageLines(store, name, task, screen));
    } else if (options.json) printJson(screen, taskDocument(store, name, task));
    else printLines(screen, taskLines(store, name, task, screen));
    return EXIT.ok;
  });
}
