import { EXIT, WfError } from "@wf/protocol";
import type { CompareOptions } from "../command-options.ts";
import { csvLine } from "../format/csv.ts";
import { type Comparison, compareRuns } from "../looking/compared-runs.ts";
import { comparisonLines } from "../looking/comparison-lines.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** Runs side by side: what went in, what came out, what it cost, and which tasks are not the same. */
export async function compare(
  runs: readonly string[],
  options: CompareOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  return withStore(options, (store) => {
    const names = [...new Set(runs.map((run) => store.findRun(run)))];
    if (names.length < 2) {
      throw new WfError("WF_USAGE", `two runs are wanted, and ${names[0] ?? "none"} is all that is named`, {
        hint: "wf compare RUN RUN; wf runs lists them",
      });
    }
    const { stage } = options;
    if (stage !== undefined) refuseUnknownStage(stage, names, (run) => store.stages(run).map((known) => known.stage));
    const comparison = compareRuns(store, names, stage);
    const format = options.format ?? (options.json ? "json" : "table");
    if (format === "json") printJson(screen, comparison);
    else if (format === "csv") printLines(screen, csvLines(comparison));
    else printLines(screen, comparisonLines(comparison, screen));
    return EXIT.ok;
  });
}

function refuseUnknownStage(stage: string, runs: readonly string[], stagesOf: (run: string) => string[]): void {
  const known = [...new Set(runs.flatMap(stagesOf))];
  if (known.includes(stage)) return;
  throw new WfError("WF_TASK_NOT_FOUND", `none of the runs has a stage "${stage}"`, {
    hint: `their stages are: ${known.join(", ")}`,
  });
}

/** One line a value: its section, its name, and one column a run. Tasks are left to `--json`. */
function csvLines({ runs, sections }: Comparison): string[] {
  const cell = (value: unknown) => (value !== null && typeof value === "object" ? JSON.stringify(value) : value);
  return [
    csvLine(["section", "name", ...runs]),
    ...sections.flatMap(({ title, rows }) =>
      rows.map(({ name, values }) => csvLine([title, name, ...values.map((value) => cell(value) as string | null)])),
    ),
  ];
}
