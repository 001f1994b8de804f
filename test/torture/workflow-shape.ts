import type { Dice } from "../dice.ts";

/**
 * A part of a random workflow. It reads the texts of earlier blocks and makes one text:
 * a `chain` of steps; a `fan` over a list that is known before, with a chain for each item; a `growth` over a list that a
 * task makes; a `loop` that ends when a task says so.
 */
export interface Block {
  readonly kind: "chain" | "fan" | "growth" | "loop";
  /** Places of earlier blocks, at most two. */
  readonly from: readonly number[];
  /** Items of a fan or a growth, rounds of a loop. */
  readonly width: number;
  /** Steps of a chain, also of that of an item. */
  readonly depth: number;
}

export interface Shape {
  readonly blocks: readonly Block[];
  /** How often a failed task is tried again by itself. */
  readonly retries: number;
}

const KINDS = ["chain", "fan", "growth", "loop"] as const;

export interface ShapeLimits {
  readonly blocks: number;
  readonly width: number;
  readonly depth: number;
}

export function drawShape(roll: Dice, limits: ShapeLimits): Shape {
  const count = 1 + roll(limits.blocks);
  const blocks: Block[] = [];
  for (let place = 0; place < count; place++) {
    const from = place === 0 ? [] : [...new Set(Array.from({ length: roll(3) }, () => roll(place)))];
    blocks.push({
      kind: KINDS[roll(KINDS.length)] as Block["kind"],
      from,
      width: 1 + roll(limits.width),
      depth: 1 + roll(limits.depth),
    });
  }
  return { blocks, retries: roll(3) };
}

/** Smaller workflows that are still whole: without one block, or with less of one. */
export function smallerShapes(shape: Shape): readonly Shape[] {
  const without = shape.blocks.map((_, place) => withoutBlock(shape, place)).filter(({ blocks }) => blocks.length > 0);
  const less = shape.blocks.flatMap((block, place) => {
    const smaller: Block[] = [];
    if (block.width > 1) smaller.push({ ...block, width: Math.floor(block.width / 2) });
    if (block.depth > 1) smaller.push({ ...block, depth: Math.floor(block.depth / 2) });
    if (block.from.length > 0) smaller.push({ ...block, from: block.from.slice(1) });
    return smaller.map((changed) => ({ ...shape, blocks: shape.blocks.with(place, changed) }));
  });
  return [...without, ...less];
}

function withoutBlock(shape: Shape, gone: number): Shape {
  const blocks = shape.blocks.toSpliced(gone, 1).map((block) => ({
    ...block,
    from: block.from.filter((place) => place !== gone).map((place) => (place > gone ? place - 1 : place)),
  }));
  return { ...shape, blocks };
}
