import { canonical } from "@wf/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { grid, gridSize } from "./grid.ts";
import { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
import { suggest } from "./sampler.ts";
import type { Setting, Space } from "./space.ts";
import { hasGrid, liesIn, spaces } from "./test-spaces.ts";

function settingsOf(space: Space, points: number, count?: number): Setting[] {
  const sampler = grid({ points });
  return Array.from(
    { length: count ?? gridSize(space, sampler) },
    (_, index) => suggest(sampler, { space, directions: ["minimise"], index, history: [] }) as Setting,
  );
}

test("covers the whole space exactly once", () => {
  fc.assert(
    fc.property(spaces, (space) => {
      fc.pre(hasGrid(space, grid({ points: 3 })) && gridSize(space, grid({ points: 3 })) <= 300);
      const settings = settingsOf(space, 3);
      expect(new Set(settings.map(canonical)).size).toBe(settings.length);
      expect(settings.every((setting) => liesIn(space, setting))).toBe(true);
    }),
  );
});

test("has every combination of a finite space, the last name changing fastest", () => {
  const space = { size: integer(1, 5, { step: 2 }), act: choice(["relu", "tanh"]) };
  expect(settingsOf(space, 5)).toEqual([
    { act: "relu", size: 1 },
    { act: "relu", size: 3 },
    { act: "relu", size: 5 },
    { act: "tanh", size: 1 },
    { act: "tanh", size: 3 },
    { act: "tanh", size: 5 },
  ]);
});

test("cuts ranges evenly on their scale, both ends included", () => {
  expect(settingsOf({ x: uniform(-1, 1) }, 5).map(({ x }) => x)).toEqual([-1, -0.5, 0, 0.5, 1]);
  const [low, middle, high] = settingsOf({ x: logUniform(1e-4, 1) }, 3).map(({ x }) => x as number);
  expect([low, high]).toEqual([1e-4, 1]);
  expect(middle).toBeCloseTo(1e-2, 12);
  expect(settingsOf({ n: integer(1, 1000, { log: true }) }, 4).map(({ n }) => n)).toEqual([1, 10, 100, 1000]);
  expect(settingsOf({ n: integer(1, 3, { log: true }) }, 5).map(({ n }) => n)).toEqual([1, 2, 3]);
});

test("adds the branches of a condition", () => {
  const space = { opt: oneOf("name", { sgd: { momentum: choice([0, 0.9]) }, adam: {} }), deep: choice([1, 2]) };
  expect(gridSize(space)).toBe(6);
  expect(settingsOf(space, 5).map(canonical)).toContain('{"deep":2,"opt":{"momentum":0.9,"name":"sgd"}}');
});

test("takes the first points if there are fewer trials, and starts again if there are more", () => {
  const space = { n: integer(1, 3) };
  expect(settingsOf(space, 5, 2).map(({ n }) => n)).toEqual([1, 2]);
  expect(settingsOf(space, 5, 5).map(({ n }) => n)).toEqual([1, 2, 3, 1, 2]);
});

test("refuses a grid that nobody can walk, and a range of one point", () => {
  const wide = Object.fromEntries(Array.from({ length: 12 }, (_, axis) => [`x${axis}`, uniform(0, 1)]));
  expect(() => gridSize(wide)).toThrow(expect.objectContaining({ code: "WF_SEARCH_SPACE" }));
  expect(() => grid({ points: 1 })).toThrow(expect.objectContaining({ code: "WF_SEARCH_OPTION" }));
});
