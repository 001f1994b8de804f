import { round, smoothPath } from "./curve.ts";
import type { Drawing, Shape } from "./drawing.ts";
import { headingOf } from "./heading.ts";
import { LINE_PX, layOut, STACK_PX } from "./layout.ts";
import type { Box, Layout, Placed, PlacedArrow, PlacedGroup } from "./placement.ts";
import { SVG_STYLE } from "./svg-style.ts";

/** One self-contained picture: no script, no font, nothing from elsewhere. */
export function toSvg(drawing: Drawing): string {
  const layout = layOut(drawing);
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(layout.title)}</title>`,
    `<style>\n${SVG_STYLE}\n</style>`,
    '<defs><marker id="wf-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto" markerUnits="userSpaceOnUse"><path class="head" d="M0,0.8L8,4L0,7.2Z"/></marker></defs>',
    `<rect class="canvas" width="${width}" height="${height}"/>`,
    ...layout.groups.map(group),
    ...layout.arrows.map(arrow),
    ...layout.shapes.map(shape),
    ...labels(layout),
    "</svg>",
    "",
  ].join("\n");
}

function group(placed: PlacedGroup): string {
  const classes = `group ${placed.kind}`;
  const sheets =
    placed.kind === "each" ? stacked(placed, (box) => rect(box, classes, 10)) : [rect(placed, classes, 10)];
  return sheets.join("");
}

function shape(placed: Placed<Shape>): string {
  const { kind, fits, count, note } = placed;
  const classes = fits ? `${kind} fits` : kind;
  const radius = (box: Box) => (kind === "task" ? 6 : box.height / 2);
  const draw = (box: Box) => rect(box, classes, radius(box));
  const sheets = count === undefined ? [draw(placed)] : stacked(placed, draw);
  const title = note === "" ? "" : `<title>${escapeXml(note)}</title>`;
  return `<g>${title}${sheets.join("")}${text(placed)}</g>`;
}

/** Three sheets, the front one below and to the left, within the box. */
function stacked(box: Box, draw: (sheet: Box) => string): string[] {
  const step = STACK_PX / 2;
  const front = frontOf(box);
  return [2, 1, 0].map((i) => draw({ ...front, x: front.x + i * step, y: front.y - i * step }));
}

function frontOf({ x, y, width, height }: Box): Box {
  return { x: x - STACK_PX / 2, y: y + STACK_PX / 2, width: width - STACK_PX, height: height - STACK_PX };
}

function text(placed: Placed<Shape>): string {
  const { label, detail, count } = placed;
  const { x, y } = count === undefined ? placed : frontOf(placed);
  const badge = count === undefined ? "" : `<tspan class="count" dx="6">${escapeXml(count)}</tspan>`;
  const top = detail === "" ? y + 4.5 : y - 3.5;
  return [
    `<text class="label" x="${round(x)}" y="${round(top)}" text-anchor="middle">${escapeXml(label)}${badge}</text>`,
    ...(detail === ""
      ? []
      : [`<text class="detail" x="${round(x)}" y="${round(y + 13)}" text-anchor="middle">${escapeXml(detail)}</text>`]),
  ].join("");
}

function arrow({ kind, points, labelAt }: PlacedArrow): string {
  return `<path class="arrow ${kind}" d="${smoothPath(points, labelAt)}" marker-end="url(#wf-head)"/>`;
}

/** On top of everything, so that no line runs through a word. */
function labels({ arrows, groups }: Layout): string[] {
  const flows = arrows.map(({ label, labelAt: at }) =>
    at
      ? `<text class="flow" x="${round(at.x)}" y="${round(at.y + 4)}" text-anchor="middle">${escapeXml(label)}</text>`
      : "",
  );
  return [...flows.filter((text) => text !== ""), ...groups.map(heading)];
}

function heading(group: PlacedGroup): string {
  const { x, y, width, height } = group.heading;
  const lines = headingOf(group).map((line, i) => {
    const isCount = line === group.count;
    const at = `x="${round(x - width / 2)}" y="${round(y - height / 2 + 10.5 + i * LINE_PX)}"`;
    return `<text class="heading${isCount ? " count" : ""}" ${at}>${escapeXml(line)}</text>`;
  });
  return lines.join("");
}

function rect({ x, y, width, height }: Box, classes: string, radius: number): string {
  return `<rect class="${classes}" x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${round(height)}" rx="${round(radius)}"/>`;
}

/** What XML cannot hold at all: control characters, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

function escapeXml(text: string): string {
  return text
    .replace(NOT_XML, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
