import type { ModelVersion } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { formatAge } from "../format/duration.ts";
import { type Cell, type Column, table } from "../format/table.ts";
import type { Screen } from "../screen.ts";
import { numberText } from "../view/run-ending.ts";
import { bestEnd } from "./metric-direction.ts";

export interface ListedModel {
  readonly model: string;
  readonly versions: number;
  readonly newest: ModelVersion;
}

/** One entry a name, with its newest version. */
export function listedModels(versions: readonly ModelVersion[]): ListedModel[] {
  const byName = new Map<string, { newest: ModelVersion; versions: number }>();
  for (const version of versions) {
    const known = byName.get(version.model);
    if (known === undefined) byName.set(version.model, { newest: version, versions: 1 });
    else known.versions += 1;
  }
  return [...byName].map(([model, listed]) => ({ model, ...listed }));
}

const MODEL_COLUMNS: readonly Column[] = [
  { title: "model", minWidth: 8 },
  { title: "versions", align: "right" },
  { title: "newest", align: "right" },
  { title: "metrics", minWidth: 10 },
  { title: "size", align: "right" },
  { title: "when", align: "right" },
  { title: "run", minWidth: 8 },
];

/** Enough to see whether it is any good; `wf models NAME` has more. */
const LISTED_DIGITS = 4;

export function modelTable(models: readonly ListedModel[], screen: Screen): string[] {
  const { colours } = screen;
  const now = Date.now() / 1000;
  const rows = models.map(({ model, versions, newest }): Cell[] => [
    { text: model, paint: colours.bold },
    String(versions),
    [`@${newest.version}`, ...newest.tags].join(" "),
    Object.entries(newest.metrics)
      .map(([name, { value }]) => `${name} ${Number(value.toPrecision(LISTED_DIGITS))}`)
      .join("  "),
    formatBytes(newest.value.size),
    formatAge(now - newest.createdAt),
    newest.run,
  ]);
  return table(MODEL_COLUMNS, rows, { width: screen.columns, titlePaint: colours.gray });
}

/** The best value of each metric has a star. */
export function versionTable(versions: readonly ModelVersion[], screen: Screen): string[] {
  const { colours } = screen;
  const now = Date.now() / 1000;
  const names = [...new Set(versions.flatMap(({ metrics }) => Object.keys(metrics)))];
  const best = new Map(names.map((name) => [name, bestValue(name, versions)]));
  const hasTags = versions.some(({ tags }) => tags.length > 0);
  const columns: Column[] = [
    { title: "version", align: "right" },
    { title: hasTags ? "tags" : "", minWidth: 4 },
    ...names.map((title): Column => ({ title, align: "right", minWidth: 6 })),
    { title: "size", align: "right" },
    { title: "when", align: "right" },
    { title: "run", minWidth: 8 },
  ];
  const rows = versions.map(({ version, tags, metrics, value, createdAt, run }): Cell[] => [
    `@${version}`,
    { text: tags.join(" "), paint: colours.cyan },
    ...names.map((name): Cell => {
      const metric = metrics[name];
      if (metric === undefined) return { text: "- ", paint: colours.gray };
      const isBest = versions.length > 1 && metric.value === best.get(name);
      return { text: `${numberText(metric.value)}${isBest ? "*" : " "}`, paint: isBest ? colours.green : undefined };
    }),
    formatBytes(value.size),
    formatAge(now - createdAt),
    run,
  ]);
  const lines = table(columns, rows, { width: screen.columns, titlePaint: colours.gray, indent: "  " });
  return versions.length > 1 && names.length > 0 ? [...lines, colours.gray(legend(names))] : lines;
}

function bestValue(name: string, versions: readonly ModelVersion[]): number | undefined {
  const values = versions.flatMap(({ metrics }) => metrics[name]?.value ?? []);
  if (values.length === 0) return undefined;
  return values.reduce((a, b) => (bestEnd(name) === "highest" ? Math.max(a, b) : Math.min(a, b)));
}

function legend(names: readonly string[]): string {
  const ends = names.map((name) => `${bestEnd(name)} ${name}`);
  return `  * the ${ends.join(", the ")}`;
}
