import fc from "fast-check";
import { expect, test } from "vitest";
import { formatIndices, parseIndices } from "./array-indices.ts";

test.each([
  [[0], "0"],
  [[0, 1, 2], "0-2"],
  [[4, 1, 3], "1,3-4"],
  [[7, 7], "7"],
])("%j is written as %s", (indices, text) => {
  expect(formatIndices(indices)).toBe(text);
});

test.each([
  ["0-9", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ["1,3-4", [1, 3, 4]],
  ["10-12%5", [10, 11, 12]],
  ["0-10:5", [0, 5, 10]],
  ["1,3,...", null],
  ["", null],
  ["0-4:0", null],
])("%s is read as %j", (text, indices) => {
  expect(parseIndices(text)).toEqual(indices);
});

test("what was written is read back", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2000), { minLength: 1 }), (indices) => {
      expect(parseIndices(formatIndices(indices))).toEqual([...indices].sort((a, b) => a - b));
    }),
  );
});
