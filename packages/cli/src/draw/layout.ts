import dagre from "@dagrejs/dagre";
import type { Drawing, Group, Shape } from "./drawing.ts";
import { headingOf } from "./heading.ts";
import type { Box, Layout, Point } from "./placement.ts";
import { attachArrows } from "./ports.ts";
import { estimateWidth } from "./text-width.ts";

const LABEL_SIZE_PX = 13;
const DETAIL_SIZE_PX = 11;
export const LINE_PX = 14;
/** How far the two sheets below a stack look out, together. */
export const STACK_PX = 8;
/** Bold letters are wider. */
const BOLD = 1.1;
const PADDING_PX = 16;
const MARGIN_PX = 24;
const FRAME_PX = 16;

/** Places everything, from top to bottom, with as few crossings as dagre finds. */
export function layOut(drawing: Drawing): Layout {
  const graph = new dagre.graphlib.Graph({ compound: true });
  graph.setGraph({ rankdir: "TB", nodesep: 30, edgesep: 18, ranksep: 36, marginx: MARGIN_PX, marginy: MARGIN_PX });
  for (const { id } of drawing.groups) graph.setNode(id, {});
  for (const shape of drawing.shapes) graph.setNode(shape.id, sizeOf(shape));
  for (const group of drawing.groups) {
    graph.setNode(headingId(group), sizeOfHeading(group));
    graph.setParent(headingId(group), group.id);
  }
  for (const { id, group } of [...drawing.groups, ...drawing.shapes])
    if (group !== undefined) graph.setParent(id, group);
  for (const { from, to, label } of drawing.arrows) graph.setEdge(from, to, { ...sizeOfLabel(label), labelpos: "c" });
  dagre.layout(graph);

  const isGroup = new Set(drawing.groups.map(({ id }) => id));
  const boxOf = (id: string): Box => {
    const { x, y, width, height } = graph.node(id) as unknown as Box;
    return { x, y, width, height };
  };
  const shapes = drawing.shapes.map((shape) => ({ ...shape, ...boxOf(shape.id) }));
  const arrows = drawing.arrows.map((arrow) => {
    const { points, x, y } = graph.edge(arrow.from, arrow.to) as unknown as { points: Point[] } & Point;
    return { ...arrow, points, labelAt: arrow.label === "" ? undefined : { x, y } };
  });
  /** As close around what is inside as looks well: dagre leaves room for arrows that only pass by. */
  const isStack = new Set(drawing.groups.filter(({ kind }) => kind === "each").map(({ id }) => id));
  const frameOf = (id: string): Box => {
    const children = graph.children(id) as string[];
    const frame = around(
      children.map((child) => (isGroup.has(child) ? frameOf(child) : boxOf(child))),
      FRAME_PX,
    );
    return isStack.has(id) ? withSheets(frame) : frame;
  };
  const { width, height } = graph.graph() as unknown as Box;
  return {
    title: drawing.title,
    width,
    height,
    shapes,
    groups: drawing.groups.map((group) => {
      return { ...group, ...frameOf(group.id), heading: boxOf(headingId(group)) };
    }),
    arrows: attachArrows(arrows, shapes),
  };
}

function sizeOf({ label, detail, count }: Shape): { width: number; height: number } {
  const badge = count === undefined ? 0 : BOLD * estimateWidth(count, DETAIL_SIZE_PX) + 6;
  const text = Math.max(BOLD * estimateWidth(label, LABEL_SIZE_PX) + badge, estimateWidth(detail, DETAIL_SIZE_PX));
  const stack = count === undefined ? 0 : STACK_PX;
  return { width: Math.max(72, text + 2 * PADDING_PX) + stack, height: (detail === "" ? 34 : 48) + stack };
}

/** A heading takes the room of a shape, so that no arrow runs through it. */
function sizeOfHeading(group: Group): { width: number; height: number } {
  const lines = headingOf(group);
  return {
    width: BOLD * Math.max(...lines.map((line) => estimateWidth(line, DETAIL_SIZE_PX))),
    height: lines.length * LINE_PX,
  };
}

function sizeOfLabel(label: string): { width: number; height: number } {
  return label === "" ? { width: 0, height: 0 } : { width: estimateWidth(label, DETAIL_SIZE_PX) + 8, height: LINE_PX };
}

function around(boxes: readonly Box[], paddingPx: number): Box {
  const left = Math.min(...boxes.map(({ x, width }) => x - width / 2)) - paddingPx;
  const right = Math.max(...boxes.map(({ x, width }) => x + width / 2)) + paddingPx;
  const top = Math.min(...boxes.map(({ y, height }) => y - height / 2)) - paddingPx;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height / 2)) + paddingPx;
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}

/** The sheets below a stack look out above and to the right. */
function withSheets({ x, y, width, height }: Box): Box {
  return { x: x + STACK_PX / 2, y: y - STACK_PX / 2, width: width + STACK_PX, height: height + STACK_PX };
}

function headingId(group: Group): string {
  return `heading ${group.id}`;
}
