import { basename, dirname } from "node:path/posix";
import { expect, it } from "vitest";
import { unfinishedName } from "./atomic-name.ts";

it("fits beside a file whose name is as long as a name can be", () => {
  const name = unfinishedName(`/data/${"x".repeat(255)}`);
  expect(dirname(name)).toBe("/data");
  expect(basename(name).length).toBeLessThan(255);
});

it("is the same for the same file and tag, and for no other", () => {
  const names = [
    unfinishedName("/data/a", "tag"),
    unfinishedName("/data/b", "tag"),
    unfinishedName("/data/a", "other"),
    unfinishedName("/data/a"),
    unfinishedName("/data/a"),
  ];
  expect(unfinishedName("/data/a", "tag")).toBe(names[0]);
  expect(new Set(names).size).toBe(names.length);
});
