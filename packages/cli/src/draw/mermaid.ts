import type { Arrow, Drawing, Shape } from "./drawing.ts";
import { headlineOf } from "./heading.ts";

/** For Markdown that draws Mermaid itself, as GitHub and GitLab do. */
export function toMermaid(drawing: Drawing): string {
  const names = new Map([...drawing.groups, ...drawing.shapes].map(({ id }, i) => [id, `n${i}`]));
  const nameOf = (id: string) => names.get(id) as string;
  const shape = (item: Shape) => `${nameOf(item.id)}${shapeText(item)}${item.fits ? ":::fits" : ""}`;
  const inside = (group: string | undefined, indent: string): string[] => [
    ...drawing.groups
      .filter((item) => item.group === group)
      .flatMap((item) => [
        `${indent}subgraph ${nameOf(item.id)}["${escapeMermaid(headlineOf(item))}"]`,
        ...inside(item.id, `${indent}  `),
        `${indent}end`,
        ...(item.kind === "when" ? [`${indent}style ${nameOf(item.id)} stroke-dasharray: 5 4`] : []),
      ]),
    ...drawing.shapes.filter((item) => item.group === group).map((item) => indent + shape(item)),
  ];
  return [
    "---",
    `title: ${JSON.stringify(drawing.title)}`,
    "---",
    "flowchart TD",
    ...inside(undefined, "  "),
    ...drawing.arrows.map((arrow) => `  ${nameOf(arrow.from)} ${arrowText(arrow)} ${nameOf(arrow.to)}`),
    "  classDef fits stroke:#c8811a",
    "",
  ].join("\n");
}

function shapeText({ kind, label, detail, count }: Shape): string {
  const first = count === undefined ? label : `${label} ${count}`;
  const text = `"${[first, detail]
    .filter((line) => line !== "")
    .map(escapeMermaid)
    .join("<br>")}"`;
  if (kind !== "task") return `([${text}])`;
  return count === undefined ? `[${text}]` : `[[${text}]]`;
}

function arrowText({ kind, label }: Arrow): string {
  const line = kind === "data" ? "-->" : "-.->";
  return label === "" ? line : `${line}|"${escapeMermaid(label)}"|`;
}

/** Mermaid's own entities; it reads labels as Markdown and HTML. */
function escapeMermaid(text: string): string {
  return text.replace(/[#"<>&`\\*_~[\]{}|;]/g, (character) => `#${character.charCodeAt(0)};`).replace(/\s+/g, " ");
}
