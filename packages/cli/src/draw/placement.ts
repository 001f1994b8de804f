import type { Arrow, Group, Shape } from "./drawing.ts";

/** A box around (x, y), its centre. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Placed<T> = T & Box;
export interface PlacedGroup extends Group, Box {
  readonly heading: Box;
}
export interface PlacedArrow extends Arrow {
  readonly points: readonly Point[];
  /** One of the points; undefined where there is no label. */
  readonly labelAt: Point | undefined;
}

export interface Layout {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Placed<Shape>[];
  readonly groups: readonly PlacedGroup[];
  readonly arrows: readonly PlacedArrow[];
}
