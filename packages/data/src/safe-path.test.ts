import { expect, it } from "vitest";
import { checkedName, checkedRelative, isInside } from "./safe-path.ts";

it.each(["", ".", "..", "a/b", "/a", "a\0b"])("%j is not the name of a file", (name) => {
  expect(() => checkedName(name)).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
});

it.each(["a", "..a", "a..", "...", ".hidden", "a b\n"])("%j is the name of a file", (name) => {
  expect(checkedName(name)).toBe(name);
});

it.each(["/a", "a/", "a//b", "a/../b", "./a", ""])("%j is no path that stays in its folder", (path) => {
  expect(() => checkedRelative(path)).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
});

it("tells what lies in a folder from what lies beside or around it", () => {
  const inside = ["/data", "/data/a", "/data/a/b", "/data/..a", "/data/...", "/data/..a/b"];
  const outside = ["/", "/data2", "/other", "/data/..", "/dat"];
  expect([...inside, ...outside].filter((path) => isInside("/data", path))).toEqual(inside);
});
