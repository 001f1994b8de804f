import { EXIT, WfError } from "@wf/protocol";
import { RUN_STATUSES, type RunStatus, type RunSummary, type TaskCounts } from "@wf/store";
import type { RunsOptions } from "../command-options.ts";
import { formatCount } from "../format/count.ts";
import { formatAge } from "../format/duration.ts";
import { table } from "../format/table.ts";
import { timeText } from "../looking/run-snapshot.ts";
import { type RunState, runState, statusPaint } from "../looking/run-state.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

const DEFAULT_LIMIT = 20;

/** Lists runs, the newest first. */
export async function runs(options: RunsOptions, screen: Screen = screenOf(process.stdout, options)): Promise<number> {
  const status = parseStatus(options.status);
  const limit = options.limit ?? DEFAULT_LIMIT;
  return withStore(options, (store) => {
    const wanted = { workflow: options.workflow, status, limit: limit + 1 };
    const found = store.runs(wanted).map((run) => ({ ...run, ...runState(store, run.run, run.status) }));
    const shown = found.slice(0, limit);
    if (options.json) {
      for (const { owner, ...run } of shown) printJson(screen, { ...run, owner: owner ?? null });
    } else if (shown.length === 0) {
      printLines(screen, [noneText(options)]);
    } else {
      printLines(screen, runTable(shown, screen));
      if (found.length > shown.length)
        printLines(screen, [screen.colours.gray(`… older ones: wf runs --limit ${shown.length * 5}`)]);
    }
    return EXIT.ok;
  });
}

function parseStatus(text: string | undefined): RunStatus | undefined {
  if (text === undefined) return undefined;
  const status = RUN_STATUSES.find((known) => known === text);
  if (status !== undefined) return status;
  throw new WfError("WF_USAGE", `"${text}" is not a run's status`, { hint: `a status is ${RUN_STATUSES.join(", ")}` });
}

function runTable(runs: readonly (Omit<RunSummary, "status"> & RunState)[], screen: Screen): string[] {
  const { colours } = screen;
  const now = Date.now() / 1000;
  const rows = runs.map((run) => [
    run.run,
    { text: run.status, paint: statusPaint(run.status, colours) },
    formatCount(total(run.tasks)),
    countText(run.tasks.cached),
    { text: countText(run.tasks.failed), paint: colours.red },
    formatAge(now - (run.startedAt ?? run.createdAt)),
    timeText(run, now),
    run.site,
  ]);
  const columns = [
    { title: "run", minWidth: 12 },
    { title: "status" },
    { title: "tasks", align: "right" },
    { title: "cached", align: "right" },
    { title: "failed", align: "right" },
    { title: "started", align: "right" },
    { title: "time", align: "right" },
    { title: "site", minWidth: 4 },
  ] as const;
  return table(columns, rows, { width: screen.columns, titlePaint: colours.gray });
}

function countText(count: number): string {
  return count === 0 ? "" : formatCount(count);
}

function total(counts: TaskCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function noneText({ workflow, status }: RunsOptions): string {
  if (workflow === undefined && status === undefined) return "no runs yet. Start one with: wf run FILE";
  return "no such runs. All of them: wf runs";
}
