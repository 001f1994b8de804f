import fc from "fast-check";
import { expect, it } from "vitest";
import type { DatasetRow } from "./dataset-row.ts";
import { stemOf, withUniqueNames } from "./unique-names.ts";

const file = (name: string) => ({ hash: "0".repeat(64), size: 1, name });
const names = (rows: readonly DatasetRow[], column: string) =>
  rows.map((row) => (row[column] as { name: string }).name);

it("renames only rows that clash, and keeps their columns aligned", () => {
  const rows = [
    { image: file("1.png"), mask: file("1.tif"), label: "x" },
    { image: file("2.png"), mask: file("2.tif"), label: "y" },
    { image: file("1.png"), mask: file("3.tif"), label: "z" },
  ];
  const unique = withUniqueNames(rows, ["image", "mask"]);
  expect(names(unique, "image")).toEqual(["000000-1.png", "2.png", "000002-1.png"]);
  expect(names(unique, "mask")).toEqual(["000000-1.tif", "2.tif", "000002-3.tif"]);
  expect(unique.map((row) => row.label)).toEqual(["x", "y", "z"]);
});

it("counts equal stems as a clash", () => {
  const unique = withUniqueNames([{ image: file("1.png") }, { image: file("1.jpg") }], ["image"]);
  expect(names(unique, "image")).toEqual(["000000-1.png", "000001-1.jpg"]);
});

it("makes every stem unique, even where a new name meets an old one, and changes nothing when called again", () => {
  const name = fc.constantFrom("a", "a.b", "b", "000000-a", "000001-a", "000001-a.c", "000002-000001-a");
  fc.assert(
    fc.property(fc.array(fc.record({ x: name, y: name })), (given) => {
      const rows = given.map(({ x, y }) => ({ x: file(x), y: file(y) }));
      const unique = withUniqueNames(rows, ["x", "y"]);
      for (const column of ["x", "y"]) {
        expect(new Set(names(unique, column).map(stemOf)).size).toBe(rows.length);
      }
      expect(withUniqueNames(unique, ["x", "y"])).toBe(unique);
    }),
  );
});
