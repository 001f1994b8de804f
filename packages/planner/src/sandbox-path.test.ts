import { expect, test } from "vitest";
import { inputPath, itemPaths } from "./sandbox-path.ts";
import { MemoryValues } from "./test-value-ops.ts";

const values = new MemoryValues();
const json = { kind: "json", value: 1 } as const;

test("a file keeps its name, a value ends as JSON does, and a folder has the name of the input", () => {
  expect(inputPath("scan", values.file("chest.png"))).toBe("in/scan/chest.png");
  expect(inputPath("facts", json)).toBe("in/facts.json");
  expect(inputPath("scans", values.directory("a.png"))).toBe("in/scans");
});

test("a program that sorts the paths of a list has its order", () => {
  const paths = itemPaths(
    "all",
    Array.from({ length: 2000 }, () => json),
  );
  expect(paths.toSorted()).toEqual(paths);
  expect(new Set(paths).size).toBe(2000);
  expect(paths[1999]).toBe("in/all/001999.json");
});

test("files of a list that bear the same name do not meet", () => {
  const paths = itemPaths("all", [values.file("a.png", "one"), values.file("a.png", "two")]);
  expect(paths).toEqual(["in/all/000000/a.png", "in/all/000001/a.png"]);
});
