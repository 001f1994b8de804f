import { expect, it } from "vitest";
import { counted, formatCount, listed } from "./count.ts";

it("groups digits by three", () => {
  expect([0, 999, 1000, 10_000, 1_234_567].map(formatCount)).toEqual(["0", "999", "1,000", "10,000", "1,234,567"]);
});

it("agrees with the noun", () => {
  expect([0, 1, 2000].map((n) => counted(n, "file"))).toEqual(["no files", "1 file", "2,000 files"]);
  expect(counted(2, "try", "tries")).toBe("2 tries");
});

it("says that there are more", () => {
  expect(listed(["a", "b"])).toBe("a, b");
  expect(listed(["a", "b"], 3)).toBe("a, b, …");
});
