import type { Point } from "./placement.ts";

/** How far an arrow keeps its direction where it leaves, and where its head is. */
const LEAVING_PX = 6;
const ARRIVING_PX = 12;

/**
 * A smooth path along the points: a uniform cubic B-spline that starts and ends at the outer ones, upright, and runs
 * through the point `through` if there is one. The others only pull at it.
 */
export function smoothPath(points: readonly Point[], through: Point | undefined): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const pulls = [
    first,
    first,
    { x: first.x, y: first.y + LEAVING_PX },
    ...points.slice(1, -1).flatMap((point) => (isSame(point, through) ? [point, point, point] : [point])),
    { x: last.x, y: last.y - ARRIVING_PX },
    last,
    last,
  ];
  let path = `M${show(first)}`;
  for (let i = 1; i < pulls.length - 2; i++) {
    const [b, c, d] = [pulls[i], pulls[i + 1], pulls[i + 2]] as [Point, Point, Point];
    path += `C${show(between(b, c, 1 / 3))} ${show(between(b, c, 2 / 3))} ${show(knot(b, c, d))}`;
  }
  return `${path}L${show(last)}`;
}

function isSame(a: Point, b: Point | undefined): boolean {
  return b !== undefined && Math.hypot(a.x - b.x, a.y - b.y) < 1;
}

function between(a: Point, b: Point, part: number): Point {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

function knot(a: Point, b: Point, c: Point): Point {
  return { x: (a.x + 4 * b.x + c.x) / 6, y: (a.y + 4 * b.y + c.y) / 6 };
}

function show({ x, y }: Point): string {
  return `${round(x)},${round(y)}`;
}

/** A tenth of a pixel is enough, and keeps the picture the same on every machine. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
