import { EXIT, parseSeconds, WfError } from "@wf/protocol";
import { findProject, type Needs, siteFor, storeIdentity, sweepSite } from "@wf/run";
import type { NamedSite } from "@wf/site";
import type { Store } from "@wf/store";
import type { GcOptions } from "../command-options.ts";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { formatElapsed } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { type Collection, type CollectionReport, collectHere, deleteRuns } from "../looking/collect-runs.ts";
import { sweptLines } from "../looking/swept-lines.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/**
 * Removes what nobody needs. Without options only content that no run refers to; with `--older-than` or `--keep`
 * runs as well; with `--site` on the storage of that site, too. `--dry-run` says what would go.
 */
export async function gc(options: GcOptions, screen: Screen = screenOf(process.stdout, options)): Promise<number> {
  const wanted = {
    olderThanSeconds: options.olderThan === undefined ? undefined : parseAge(options.olderThan),
    keep: options.keep,
    isDryRun: options.dryRun ?? false,
  };
  const site = options.site === undefined ? null : siteNamed(options.site);
  return withStore(
    options,
    async (store) => {
      const collection = deleteRuns(store, wanted);
      const report = await collectHere(store, collection);
      if (!options.json) printLines(screen, reportLines(report, screen));
      const swept = site === null ? null : await sweepSite(site, needsOf(store, collection), wanted.isDryRun, toStderr);
      if (options.json) printJson(screen, swept === null ? report : { ...report, site: swept });
      else if (swept !== null) printLines(screen, sweptLines(swept, wanted.isDryRun, screen));
      return EXIT.ok;
    },
    { isReadonly: false },
  );
}

function siteNamed(name: string): NamedSite {
  return siteFor(findProject(process.cwd(), undefined).root, name, undefined);
}

function needsOf(store: Store, { keptRuns, needed, youngMs }: Collection): Needs {
  const identity = storeIdentity(store.folder);
  return { identity, runs: [...keptRuns], content: [...needed], youngSeconds: youngMs / 1000 };
}

function toStderr(text: string): void {
  screenOf(process.stderr).write(`${printable(text)}\n`);
}

/** A bare number would be seconds, and who means days would lose every run. */
function parseAge(text: string): number {
  try {
    if (/^[\d.\s]*$/.test(text)) throw new RangeError("no unit");
    return parseSeconds(text);
  } catch (error) {
    throw new WfError("WF_USAGE", `--older-than ${text} is not a time with its unit`, {
      hint: 'write it as "30d", "12h" or "90m"',
      cause: error,
    });
  }
}

const MOST_RUNS_NAMED = 20;

function reportLines(report: CollectionReport, screen: Screen): string[] {
  const { colours } = screen;
  const { isDryRun, runs, objects, folders, young } = report;
  const bytes = objects.bytes + folders.bytes;
  const named = runs
    .slice(0, MOST_RUNS_NAMED)
    .map(({ run, status, ageSeconds }) => `  ${run}  ${colours.gray(`${status}, ${formatElapsed(ageSeconds)} old`)}`);
  const more = runs.length - named.length;
  const what = [
    counted(runs.length, "run"),
    `${counted(objects.count, "object")} (${formatBytes(objects.bytes)})`,
    `${counted(folders.count, "run folder")} (${formatBytes(folders.bytes)})`,
  ].join(", ");
  const kept = [
    counted(report.keptRuns, "run"),
    ...(report.keptModels === 0 ? [] : [counted(report.keptModels, "version of models", "versions of models")]),
    counted(report.keptObjects.count, "object"),
  ];
  return [
    ...named,
    ...(more > 0 ? [colours.gray(`  … and ${counted(more, "more run")}`)] : []),
    `${isDryRun ? "would free" : "freed"} ${colours.bold(formatBytes(bytes))}: ${what}`,
    ...(young.count > 0
      ? [
          colours.gray(
            `kept although no run needs them, for they are new: ${counted(young.count, "object")} (${formatBytes(young.bytes)})`,
          ),
        ]
      : []),
    `kept ${kept.join(", ")} (${formatBytes(report.keptObjects.bytes)})`,
    ...(isDryRun && bytes > 0 ? [`  ${colours.gray("next")}  the same without --dry-run`] : []),
  ];
}
