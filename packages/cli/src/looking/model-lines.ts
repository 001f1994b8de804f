import type { ModelLineage, ModelVersion, Store } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { counted, listed } from "../format/count.ts";
import { formatAge } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { pairs, table } from "../format/table.ts";
import { formatTime } from "../format/time.ts";
import type { Screen } from "../screen.ts";
import { jsonText, numberText } from "../view/run-ending.ts";
import { gitText } from "./git-text.ts";

const RUNS_NAMED = 3;

/** A version with its metrics and where it comes from. */
export function modelLines(store: Store, version: ModelVersion, screen: Screen): string[] {
  const { colours } = screen;
  const { model, tags, value, lineage, run, createdAt, seenAgain } = version;
  const name = `${model}@${version.version}`;
  const now = Date.now() / 1000;
  const users = store.runsUsing(value);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", colours.gray(title), ...lines];
  const facts: [string, string][] = [
    [
      "content",
      `${value.kind === "file" ? printable(value.name) : counted(value.files, "file")}  ${formatBytes(value.size)}  ${colours.gray(value.hash.slice(0, 12))}`,
    ],
    [
      "made by",
      `${run}  ${lineage.task ?? version.output}${store.hasRun(run) ? "" : colours.gray("  (deleted since)")}`,
    ],
    ["at", `${formatTime(createdAt)}  (${formatAge(now - createdAt)})`],
    ...(seenAgain.length === 0 ? [] : [["again by", runsText(seenAgain.map((seen) => seen.run))] as [string, string]]),
    ...(users.length === 0 ? [] : [["used by", runsText(users)] as [string, string]]),
    ["workflow", `${lineage.workflow}  ${colours.gray(`${lineage.file}, bundle ${lineage.bundle.slice(0, 12)}`)}`],
    ["code", gitText(lineage.git)],
    ["params", paramsText(lineage.params)],
    ...(lineage.task === null ? [] : [["task params", paramsText(lineage.taskParams)] as [string, string]]),
  ];
  return [
    [colours.bold(name), ...tags.map(colours.cyan)].join("  "),
    ...pairs(facts, colours.gray, "  "),
    ...section("metrics", metricLines(version, screen)),
    ...section("trained on", dataLines(lineage, screen)),
    ...section("inputs of the workflow", inputLines(lineage, screen)),
    "",
    `  ${colours.gray("next")}  wf models ${name} --export ${value.kind === "file" ? printable(value.name) : model}`,
    `        wf run WORKFLOW --input NAME=model:${name}`,
  ];
}

function runsText(runs: readonly string[]): string {
  return `${listed(runs.slice(0, RUNS_NAMED), runs.length)}${runs.length > RUNS_NAMED ? `  (${runs.length} runs)` : ""}`;
}

function paramsText(params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).map(([name, value]) => `${name}=${jsonText(value as never)}`);
  return entries.length === 0 ? "none" : entries.join("  ");
}

/** A metric carries the splits of the model too; what it adds to them is what it was measured on. */
function metricLines({ metrics, lineage }: ModelVersion, { colours, columns }: Screen): string[] {
  const rows = Object.entries(metrics).map(([name, { value, splits }]) => {
    const added = splits.filter((split) => !lineage.splits.includes(split));
    const data = (added.length === 0 ? splits : added).join(" and ");
    return [
      { text: name, paint: colours.gray },
      numberText(value),
      data === "" ? "" : { text: `on ${data} data`, paint: colours.gray },
    ];
  });
  return table([{ title: "" }, { title: "", align: "right" }, { title: "" }], rows, { width: columns, indent: "  " });
}

const DATA_COLUMNS = [
  { title: "stage", minWidth: 6 },
  { title: "input", minWidth: 6 },
  { title: "splits" },
  { title: "what", minWidth: 12 },
  { title: "size", align: "right" },
  { title: "content", minWidth: 6 },
] as const;

function dataLines({ data }: ModelLineage, { colours, columns }: Screen): string[] {
  if (data.length === 0) return [];
  const rows = data.map(({ stage, input, splits, carried, artifacts, ...what }) => [
    stage,
    input,
    splits.join(", ") || "-",
    [contentText(what), ...(artifacts > 1 ? [`and ${artifacts - 1} more`] : []), ...(carried ? ["unread"] : [])].join(
      ", ",
    ),
    formatBytes(what.sizeBytes),
    { text: what.hash.slice(0, 12), paint: colours.gray },
  ]);
  return table(DATA_COLUMNS, rows, { width: columns, titlePaint: colours.gray, indent: "  " });
}

const INPUT_COLUMNS = [
  { title: "", minWidth: 6 },
  { title: "", minWidth: 12 },
  { title: "", align: "right" },
  { title: "", minWidth: 6 },
] as const;

function inputLines({ inputs }: ModelLineage, { colours, columns }: Screen): string[] {
  const rows = inputs.map(({ name, ...what }) => [
    { text: name, paint: colours.gray },
    contentText(what),
    formatBytes(what.sizeBytes),
    { text: what.hash.slice(0, 12), paint: colours.gray },
  ]);
  return table(INPUT_COLUMNS, rows, { width: columns, indent: "  " });
}

function contentText({ kind, rows, files }: Pick<ModelLineage["inputs"][number], "kind" | "rows" | "files">): string {
  if (rows !== null) return `${kind} of ${counted(rows, "row")}`;
  return files !== null ? `${kind} of ${counted(files, "file")}` : kind;
}
