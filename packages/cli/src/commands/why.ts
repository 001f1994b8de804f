import { EXIT } from "@wf/protocol";
import type { GlobalOptions } from "../command-options.ts";
import { explainTask, type Reason } from "../looking/explain-task.ts";
import { changeText, reasonText } from "../looking/reason-text.ts";
import { sliceLines } from "../looking/slices.ts";
import { whyNotRun } from "../looking/stored-failures.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** Why a task ran, or why it did not have to. */
export async function why(
  run: string | undefined,
  task: string,
  options: GlobalOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  return withStore(options, (store) => {
    const name = store.findRun(run ?? "last");
    const reason = explainTask(store, name, task);
    if (options.json) printJson(screen, { run: name, task, ...reason });
    else if (reason.why === "not-run")
      printLines(screen, [`${task} was not run: ${whyNotRun(store, name, store.task(name, task))}`]);
    else {
      const slices = sliceLines(store.attempts(name, task)).map((line) => `  ${line}`);
      printLines(screen, [screen.colours.bold(reasonText(task, reason)), ...detailLines(reason, screen), ...slices]);
    }
    return EXIT.ok;
  });
}

function detailLines(reason: Reason, screen: Screen): string[] {
  const { colours } = screen;
  if (reason.why === "cached") return [`  ${colours.gray(reason.parts.map(({ name }) => name).join(", "))}`];
  if (reason.why !== "key-differs") return [];
  const same = reason.unchanged.length === 0 ? [] : [colours.gray(`  the same: ${reason.unchanged.join(", ")}`)];
  return [...reason.changes.map((change) => `  ${colours.yellow(changeText(change))}`), ...same];
}
