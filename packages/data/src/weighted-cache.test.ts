import { expect, it } from "vitest";
import { WeightedCache } from "./weighted-cache.ts";

it("forgets what was used longest ago when it grows too heavy", () => {
  const cache = new WeightedCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", 4);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual(["A", undefined, "C"]);
});

it("keeps the newest however heavy it is, and counts a replaced entry once", () => {
  const cache = new WeightedCache<number>(10);
  cache.set("huge", 1, 1000);
  expect(cache.get("huge")).toBe(1);
  cache.set("a", 1, 5);
  cache.set("a", 2, 5);
  cache.set("b", 3, 5);
  expect([cache.get("huge"), cache.get("a"), cache.get("b")]).toEqual([undefined, 2, 3]);
});
