import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { sourceSettings } from "./source-settings.mjs";

const { parse } = createRequire(join(root, "packages/site/package.json"))("yaml");
const SOURCES = ["site", "slurm-settings", "htcondor-settings", "polite-settings"].map(
  (name) => `packages/site/src/${name}.ts`,
);
const EXAMPLE = "docs/examples/sites-of-a-lab.yaml";
const OF_CLUSTERS = ["host", "sshConfig", "prelude", "storage", "share"];

/** docs/sites.md, with its tables of settings made anew from the schema and from the example that has all of them. */
export function sitesPage() {
  const settings = sourceSettings(SOURCES.map((file) => join(root, file)));
  const site = settings("Settings").filter(({ path }) => !/^(slurm|htcondor)\./.test(path));
  const { local, cluster, pool } = parse(readFileSync(join(root, EXAMPLE), "utf8")).sites;
  const isOfClusters = ({ path }) => OF_CLUSTERS.includes(path);
  return replaceBlocks(readFileSync(join(root, "docs/sites.md"), "utf8"), {
    "settings of every site": table(
      site.filter((setting) => !isOfClusters(setting)),
      local,
    ),
    "settings of clusters": table(site.filter(isOfClusters), cluster),
    "settings of slurm": table(settings("SlurmSettings"), cluster.slurm),
    "settings of htcondor": table(settings("HtcondorSettings"), pool.htcondor),
    "settings of partitions": table(settings("SlurmPartition"), ...cluster.slurm.partitions),
  });
}

function table(settings, ...examples) {
  const rows = settings.map(({ path, meaning, default: otherwise }) => {
    const example = examples.map((values) => valueAt(values, path)).find((value) => value !== undefined);
    if (example === undefined) throw new Error(`${EXAMPLE} has no ${path}`);
    return [`\`${path}\``, meaning, otherwise, `\`${inline(example)}\``].map((cell) => cell.replaceAll("|", "\\|"));
  });
  return aligned([["setting", "meaning", "default", "example"], ...rows]);
}

/** As the formatter wants it, which looks at this page too. */
function aligned([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells, fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(" | ")} |`;
  const rule = line(
    head.map(() => ""),
    "-",
  );
  return [line(head), rule, ...rows.map((row) => line(row))].join("\n");
}

function valueAt(values, path) {
  return path.split(".").reduce((value, name) => value?.[name], values);
}

function inline(value) {
  if (Array.isArray(value))
    return value.some((item) => typeof item === "object") ? "see below" : `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${name}: ${typeof item === "string" ? JSON.stringify(item) : item}`)
    .join(", ")} }`;
}

function replaceBlocks(text, blocks) {
  return Object.entries(blocks).reduce((result, [name, content]) => {
    const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
    const from = result.indexOf(start);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`docs/sites.md has no block ${name}`);
    return `${result.slice(0, from)}${start}\n\n${content}\n\n${result.slice(to)}`;
  }, text);
}
