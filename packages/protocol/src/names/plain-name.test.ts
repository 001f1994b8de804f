import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainName, isPlainPath } from "./plain-name.ts";

test.each(["", ".", "..", "/", "/a", "a/b", "m/../../.bashrc", "a\0b", "x".repeat(256), "é".repeat(128), "\ud800"])(
  "%j is not the name of a file",
  (name) => expect(isPlainName(name)).toBe(false),
);

test.each(["a", "..a", "...", ".hidden", "a b\n'\"", "x".repeat(255), "é".repeat(127), "肺", "😀"])(
  "%j is the name of a file",
  (name) => expect(isPlainName(name)).toBe(true),
);

test("a path of names that files can have stays below its root, and no other path does", () => {
  const step = fc.oneof(fc.constantFrom("..", ".", "", "a", "~", "\n"), fc.string({ unit: "binary", maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      const path = steps.join("/");
      const parts = path.split("/");
      expect(isPlainPath(path)).toBe(parts.every(isPlainName));
      if (isPlainPath(path))
        expect(new URL(`file:///root/${parts.map(encodeURIComponent).join("/")}`).pathname).toMatch(/^\/root\/./);
    }),
    cases(300),
  );
});

test("a path has a bottom", () => {
  expect(isPlainPath(Array(256).fill("d").join("/"))).toBe(true);
  expect(isPlainPath(Array(257).fill("d").join("/"))).toBe(false);
});
