import type { Point } from "./layout.ts";

/** A smooth path along the points: a uniform cubic B-spline that starts and ends at the outer ones, upright. */
export function smoothPath(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const ends = 6;
  const control = [
    first,
    { x: first.x, y: first.y + ends },
    ...points.slice(1, -1),
    { x: last.x, y: last.y - 2 * ends },
    last,
  ];
  const padded = [first, first, ...control.slice(1, -1), last, last];
  let path = `M${show(first)}`;
  for (let i = 1; i < padded.length - 2; i++) {
    const [b, c, d] = [padded[i], padded[i + 1], padded[i + 2]] as [Point, Point, Point];
    path += `C${show(between(b, c, 1 / 3))} ${show(between(b, c, 2 / 3))} ${show(knot(b, c, d))}`;
  }
  return `${path}L${show(last)}`;
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
