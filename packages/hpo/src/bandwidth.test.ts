import { expect, test } from "vitest";
import { evenBandwidth, neighbourBandwidth } from "./bandwidth.ts";

test("reaches the farther neighbour on each axis", () => {
  const width = neighbourBandwidth([
    [0.1, 0.5],
    [0.9, 0.5],
    [0.5, undefined],
  ]);
  expect([width(0, 0), width(1, 0), width(2, 0)]).toEqual([0.4, 0.4, 0.4]);
  expect([width(0, 1), width(1, 1)]).toEqual([0.2, 0.2]);
});

test("of a single observation reaches the farther end", () => {
  expect(neighbourBandwidth([[0.3]])(0, 0)).toBe(0.7);
});

test("is never so narrow that a few observations hold the search", () => {
  const twins = Array.from({ length: 8 }, () => [0.5]);
  expect(neighbourBandwidth(twins)(0, 0)).toBe(0.1);
});

test("shrinks with the number of observations, slower in more dimensions", () => {
  const width = (count: number, dimensions: number) =>
    evenBandwidth(Array.from({ length: count }, () => Array.from({ length: dimensions }, () => 0.5)))(0, 0);
  expect(width(50, 2)).toBeLessThan(width(10, 2));
  expect(width(50, 2)).toBeLessThan(width(50, 8));
});
