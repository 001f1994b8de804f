import type { GlobalOptions } from "../command-options.ts";
import { pairs } from "../format/table.ts";
import type { DetachedRun } from "../running/detach-run.ts";
import { printJson, printLines, screenOf } from "../screen.ts";

/** That a run goes on in the background, and what to type about it. */
export function tellDetached(run: string, detached: DetachedRun, options: GlobalOptions): void {
  const screen = screenOf(process.stdout, options);
  if (options.json) {
    printJson(screen, { type: "run.detached", run, ...detached });
    return;
  }
  const { colours } = screen;
  const rows: [string, string][] = [
    ["look", `wf attach ${run}`],
    ["end it", `wf cancel ${run}`],
    ["log", detached.log],
  ];
  printLines(screen, [
    `${colours.bold(run)} goes on in the background as process ${detached.pid}`,
    ...pairs(rows, colours.gray, "  "),
  ]);
}
