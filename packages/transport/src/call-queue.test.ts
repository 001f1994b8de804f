import { expect, it } from "vitest";
import { CallQueue } from "./call-queue.ts";

const signal = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

it("hands out places in order, and no more than there are", async () => {
  const queue = new CallQueue(2, { commands: 100, everyMs: 60_000 });
  const taken = [await queue.take(signal), await queue.take(signal)];
  const order: number[] = [];
  const waiting = [1, 2].map((number) => queue.take(signal).then((release) => order.push(number) && release));
  await soon();
  expect([order, queue.waiting]).toEqual([[], 2]);
  taken[0]?.();
  await waiting[0];
  expect([order, queue.waiting]).toEqual([[1], 1]);
  taken[1]?.();
  await waiting[1];
  expect(order).toEqual([1, 2]);
});

it("keeps a place that is taken although the signal of its owner was aborted", async () => {
  const queue = new CallQueue(1, { commands: 100, everyMs: 60_000 });
  const abort = new AbortController();
  const release = await queue.take(abort.signal);
  abort.abort(new Error("enough"));
  let isNext = false;
  const next = queue.take(signal).then((free) => {
    isNext = true;
    free();
  });
  await soon();
  expect(isNext).toBe(false);
  release();
  release();
  await next;
});

it("lets go of who waits when their signal is aborted", async () => {
  const queue = new CallQueue(1, { commands: 2, everyMs: 60_000 });
  const release = await queue.take(signal);
  const abort = new AbortController();
  const forPlace = queue.take(abort.signal);
  const forBudget = queue.take(abort.signal);
  await soon();
  expect(queue.waiting).toBe(2);
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(forPlace).rejects.toBe(reason);
  await expect(forBudget).rejects.toBe(reason);
  expect(queue.waiting).toBe(0);
  release();
});
