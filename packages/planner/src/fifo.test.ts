import { expect, test } from "vitest";
import { Fifo } from "./fifo.ts";

test("what comes first goes first, also when much was taken in between", () => {
  const fifo = new Fifo<number>();
  const taken: number[] = [];
  for (let n = 0; n < 5000; n++) {
    fifo.add(2 * n);
    fifo.add(2 * n + 1);
    taken.push(fifo.take() as number);
  }
  for (let next = fifo.take(); next !== undefined; next = fifo.take()) taken.push(next);
  expect(taken).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
});
