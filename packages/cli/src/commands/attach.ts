import { EXIT } from "@wf/protocol";
import type { AttachOptions } from "../command-options.ts";
import { followRun } from "../looking/follow-run.ts";
import { runState } from "../looking/run-state.ts";
import { withStore } from "../looking/with-store.ts";
import { printLines, type Screen, screenOf } from "../screen.ts";

/** The live view of a run of another process. Ctrl-C leaves the view; the run goes on. */
export async function attach(
  run: string | undefined,
  options: AttachOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  return withStore(options, async (store) => {
    const name = store.findRun(run ?? "last");
    const code = await followRun(store, name, screen, options.json ?? false);
    if (options.json) return code;
    const { status } = runState(store, name, store.run(name).status);
    if (status === "running") {
      printLines(screen, [`  ${name} goes on. End it with: wf cancel ${name}`]);
      return EXIT.ok;
    }
    return code;
  });
}
