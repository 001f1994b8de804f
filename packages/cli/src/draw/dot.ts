import type { Arrow, Drawing, Shape } from "./drawing.ts";
import { headlineOf } from "./heading.ts";

/** For Graphviz. */
export function toDot(drawing: Drawing): string {
  const inside = (group: string | undefined, indent: string): string[] => [
    ...drawing.groups
      .filter((item) => item.group === group)
      .flatMap((item) => [
        `${indent}subgraph ${quote(`cluster ${item.id}`)} {`,
        `${indent}  graph [label=${quote(headlineOf(item))} style=${quote(item.kind === "when" ? "rounded,dashed" : "rounded")}];`,
        ...inside(item.id, `${indent}  `),
        `${indent}}`,
      ]),
    ...drawing.shapes
      .filter((item) => item.group === group)
      .map((item) => `${indent}${quote(item.id)} [${shapeAttributes(item)}];`),
  ];
  return [
    `digraph ${quote(drawing.title)} {`,
    '  graph [rankdir=TB fontname="Helvetica" fontsize=11 labeljust=l];',
    '  node [shape=box style=rounded fontname="Helvetica" fontsize=12];',
    '  edge [fontname="Helvetica" fontsize=10];',
    ...inside(undefined, "  "),
    ...drawing.arrows.map((arrow) => `  ${quote(arrow.from)} -> ${quote(arrow.to)} [${arrowAttributes(arrow)}];`),
    "}",
    "",
  ].join("\n");
}

function shapeAttributes({ kind, label, detail, count, fits }: Shape): string {
  const first = count === undefined ? label : `${label} ${count}`;
  const text = [first, detail]
    .filter((line) => line !== "")
    .map(escapeDot)
    .join("\\n");
  return [
    `label="${text}"`,
    ...(kind === "task" ? [] : ["shape=oval style=solid"]),
    ...(count === undefined ? [] : ["shape=box3d style=solid"]),
    ...(fits ? ['color="#c8811a"'] : []),
  ].join(" ");
}

function arrowAttributes({ kind, label }: Arrow): string {
  const style = { data: "solid", control: "dashed", order: "dotted" }[kind];
  return `style=${style}${label === "" ? "" : ` label=${quote(label)}`}`;
}

function quote(text: string): string {
  return `"${escapeDot(text)}"`;
}

/** In a quoted string of DOT, a backslash begins an escape sequence. */
function escapeDot(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/[\r\n]+/g, " ");
}
