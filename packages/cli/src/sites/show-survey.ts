import { formatBytes } from "../format/bytes.ts";
import type { Colours } from "../format/colour.ts";
import { printable } from "../format/printable.ts";
import { pairs, table } from "../format/table.ts";
import { timeText } from "./amount-text.ts";
import type { DraftPartition } from "./draft-partitions.ts";
import { ownAccount } from "./draft-site.ts";
import { choosePython } from "./found-python.ts";
import type { StorageFolder } from "./storage-folders.ts";
import type { ClusterSurvey, MachineSurvey } from "./survey-site.ts";

export interface SurveyToShow {
  readonly place: string;
  readonly survey: ClusterSurvey;
  readonly partitions: readonly DraftPartition[];
  readonly refused: ReadonlyMap<string, string>;
}

/** The same for programs. What has no limit is null. */
export function surveyDocument({ survey, partitions, refused }: SurveyToShow): Record<string, unknown> {
  const { slurm, ...machine } = survey;
  const { config, nodes, associations, defaultAccount } = slurm;
  return {
    ...machine,
    slurm: { ...config, nodes: nodes.length, usableNodes: nodes.filter(({ isUsable }) => isUsable).length },
    defaultAccount,
    associations,
    partitions: partitions.map(({ facts, capacity }) => ({
      ...facts,
      ...capacity,
      refusal: refused.get(facts.name) ?? null,
    })),
  };
}

/** What was found on a cluster, for a person to compare with what they know of it. */
export function showSurvey(
  { place, survey, partitions, refused }: SurveyToShow,
  width: number | undefined,
  colours: Colours,
): string[] {
  const { slurm } = survey;
  const { config, nodes, associations } = slurm;
  const account = ownAccount(survey);
  const others = [...new Set(associations.map((association) => association.account))].filter(
    (name) => name !== account,
  );
  const usable = nodes.filter(({ isUsable }) => isUsable).length;
  const rows: [string, string][] = [
    loginRow(place, survey),
    ["slurm", `${config.version}, ${config.clusterName ?? "a cluster"}, ${nodes.length} nodes (${usable} of them up)`],
    ["limits", `arrays of up to ${config.maxArraySize - 1}, ${config.maxJobCount} jobs`],
    ["account", [account ?? "none", ...(others.length > 0 ? [`or ${others.join(", ")}`] : [])].join(", ")],
    ...machineRows(survey),
  ];
  const columns = [
    { title: "partition" },
    { title: "time", align: "right" },
    { title: "nodes", align: "right" },
    { title: "cpus", align: "right" },
    { title: "memory", align: "right" },
    { title: "gpus" },
    { title: "", minWidth: 20 },
  ] as const;
  const lines = partitions.map(({ facts, capacity }) => [
    facts.name,
    Number.isFinite(facts.maxTimeSeconds) ? timeText(facts.maxTimeSeconds) : "no limit",
    String(capacity.nodes),
    String(capacity.cpusPerNode),
    formatBytes(capacity.memoryPerNodeBytes),
    capacity.gpusPerNode === 0 ? "" : `${capacity.gpusPerNode} ${capacity.gres}${capacity.isForGpus ? "" : " on some"}`,
    refused.get(facts.name) ?? (facts.isDefault ? "the default" : ""),
  ]);
  return [...pairs(rows, colours.dim), "", ...table(columns, lines, { width, titlePaint: colours.gray })];
}

export function loginRow(place: string, { user }: MachineSurvey): [string, string] {
  return ["login", `${place}, as ${user}`];
}

export function machineRows({ pythons, hasModules, folders }: MachineSurvey): [string, string][] {
  const python = choosePython(pythons);
  return [
    ["python", python === undefined ? "none that is 3.6 or newer" : `${python.version}, ${python.path}`],
    ["modules", hasModules ? "yes, in login shells" : "no"],
    ...folders.map((folder, index): [string, string] => [index === 0 ? "storage" : "", storageText(folder)]),
  ];
}

function storageText({ path, isWritable, fileSystem, freeBytes }: StorageFolder): string {
  const free = freeBytes === null ? "" : `, ${formatBytes(freeBytes)} free`;
  return `${printable(path)} (${fileSystem ?? "unknown file system"}${free}${isWritable ? "" : ", not writable"})`;
}
