import { EXIT, WfError } from "@wf/protocol";
import { askEndings } from "@wf/run";
import type { Store } from "@wf/store";
import type { RecheckOptions } from "../command-options.ts";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import { table } from "../format/table.ts";
import { formatTime } from "../format/time.ts";
import { type AskEndings, type KilledSuccess, type Rechecked, recheckRuns } from "../looking/recheck-runs.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

interface Report extends Omit<Rechecked, "killed"> {
  readonly isDryRun: boolean;
  /** `reusedBy`: other runs that had reused the result, from which it was taken, too. */
  readonly dropped: readonly (KilledSuccess & { readonly reusedBy: readonly string[] })[];
  /** Runs that somebody runs: they see to it themselves. */
  readonly underWay: readonly string[];
}

/** Drops results from the cache whose jobs the scheduler had ended, as far as its accounting still knows. */
export async function recheck(
  runs: readonly string[] | undefined,
  options: RecheckOptions,
  screen: Screen = screenOf(process.stdout, options),
  ask: AskEndings = (site, jobs) => askEndings(site, jobs, toStderr),
): Promise<number> {
  return withStore(
    options,
    async (store) => {
      const isDryRun = options.dryRun ?? false;
      const { idle, underWay } = runsToCheck(store, runs ?? [], options.site);
      const { killed, ...counts } = await recheckRuns(store, idle, ask);
      const dropped = killed.map((one) => ({ ...one, reusedBy: isDryRun ? [] : drop(store, one) }));
      const report: Report = { isDryRun, ...counts, dropped, underWay };
      if (options.json) printJson(screen, report);
      else printLines(screen, reportLines(report, screen));
      return EXIT.ok;
    },
    { isReadonly: false },
  );
}

function runsToCheck(store: Store, named: readonly string[], site: string | undefined) {
  const all = named.length > 0 ? named.map((run) => store.findRun(run)) : store.runs().map(({ run }) => run);
  const wanted = site === undefined ? all : all.filter((run) => store.run(run).site === site);
  if (site !== undefined && wanted.length === 0) throw noneOn(site, new Set(all.map((run) => store.run(run).site)));
  const isOwned = (run: string) => store.lease(run)?.alive === true;
  return { idle: wanted.filter((run) => !isOwned(run)), underWay: wanted.filter(isOwned) };
}

function noneOn(site: string, sites: ReadonlySet<string>): WfError {
  return new WfError("WF_USAGE", `no such run was on a site "${site}"`, {
    hint: `they were on: ${[...sites].join(", ") || "none, for there are none"}`,
  });
}

function drop(store: Store, { run, task, attempt, failure }: KilledSuccess): string[] {
  const reusedBy = store.revokeSuccess(run, { task, attempt, failure });
  store.journal(run).event("task.revoked", { task, attempt, failure: failure.class });
  return reusedBy;
}

function toStderr(text: string): void {
  screenOf(process.stderr).write(`${printable(text)}\n`);
}

const COLUMNS = [
  { title: "run" },
  { title: "task" },
  { title: "job" },
  { title: "its job ended" },
  { title: "how", minWidth: 20 },
] as const;

function reportLines({ isDryRun, results, unknown, dropped, underWay }: Report, screen: Screen): string[] {
  const { colours, columns } = screen;
  const rows = dropped.map(({ run, task, job, jobEndedAt, failure }) => [
    run,
    task,
    job,
    jobEndedAt === null ? "-" : formatTime(jobEndedAt),
    printable(failure.message),
  ]);
  const runs = new Set(dropped.flatMap(({ run, reusedBy }) => [run, ...reusedBy]));
  const reused = new Set(dropped.flatMap(({ reusedBy }) => reusedBy));
  return [
    ...(rows.length === 0 ? [] : table(COLUMNS, rows, { width: columns, titlePaint: colours.gray })),
    `${isDryRun ? "would drop" : "dropped"} ${colours.bold(String(dropped.length))} of ${counted(results, "result")} in jobs of a scheduler`,
    ...(reused.size === 0 ? [] : [`reused by, and dropped there, too: ${[...reused].join(", ")}`]),
    ...(unknown === 0
      ? []
      : [colours.gray(`${counted(unknown, "result")} could not be judged: accounting does not know their jobs`)]),
    ...underWay.map((run) => colours.gray(`left alone, for it is under way: ${run}`)),
    ...nextLines(isDryRun, [...runs]).map((line) => `  ${colours.gray("next")}  ${line}`),
  ];
}

/** What was built on a dropped result has to be made again. */
function nextLines(isDryRun: boolean, runs: readonly string[]): string[] {
  if (runs.length === 0) return [];
  return isDryRun ? ["the same without --dry-run"] : runs.map((run) => `wf resume ${run}`);
}
