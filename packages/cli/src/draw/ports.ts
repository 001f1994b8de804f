import type { Shape } from "./drawing.ts";
import type { Placed, PlacedArrow, Point } from "./placement.ts";

const CORNER_PX = 14;
const ROUND_CORNER_PX = 26;
const GAP_PX = 14;

/**
 * Arrows leave a shape at its lower edge and reach the next one at its upper edge, side by side in the order in which
 * they run, each as straight as its neighbours allow.
 */
export function attachArrows(arrows: readonly PlacedArrow[], shapes: readonly Placed<Shape>[]): PlacedArrow[] {
  const starts = new Map<PlacedArrow, Point>();
  const ends = new Map<PlacedArrow, Point>();
  for (const shape of shapes) {
    const leaving = arrows.filter(({ from }) => from === shape.id);
    const arriving = arrows.filter(({ to }) => to === shape.id);
    const bottom = shape.y + shape.height / 2;
    const top = shape.y - shape.height / 2;
    for (const [arrow, x] of spread(shape, leaving, ({ points }) => points[1])) starts.set(arrow, { x, y: bottom });
    for (const [arrow, x] of spread(shape, arriving, ({ points }) => points.at(-2))) ends.set(arrow, { x, y: top });
  }
  return arrows.map((arrow) => ({
    ...arrow,
    points: [starts.get(arrow) as Point, ...arrow.points.slice(1, -1), ends.get(arrow) as Point],
  }));
}

function spread(
  box: Placed<Shape>,
  arrows: readonly PlacedArrow[],
  nextPoint: (arrow: PlacedArrow) => Point | undefined,
): Map<PlacedArrow, number> {
  const corner = box.kind === "task" ? CORNER_PX : ROUND_CORNER_PX;
  const left = box.x - box.width / 2 + corner;
  const right = box.x + box.width / 2 - corner;
  const gap = Math.min(GAP_PX, (right - left) / Math.max(1, arrows.length - 1));
  const wanted = arrows.map((arrow) => ({ arrow, x: nextPoint(arrow)?.x ?? box.x })).sort((a, b) => a.x - b.x);
  const places: number[] = [];
  wanted.forEach(({ x }, i) => {
    const least = i === 0 ? left : (places[i - 1] as number) + gap;
    const most = right - (wanted.length - 1 - i) * gap;
    places.push(Math.min(Math.max(x, least), most));
  });
  return new Map(wanted.map(({ arrow }, i) => [arrow, places[i] as number]));
}
