import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";
import { Value } from "./value.ts";

const file = (hash: string) => ({ kind: "file", hash, size: 1, name: "a.png" });

test.each([
  ["with more before it", `../${sha256("a")}`],
  ["with more after it", `${sha256("a")}\n`],
  ["too short", sha256("a").slice(1)],
  ["in capitals", sha256("a").toUpperCase()],
  ["empty", ""],
])("a content hash %s is refused: it becomes a path", (_, hash) => {
  expect(Value.safeParse(file(sha256("a"))).success).toBe(true);
  expect(Value.safeParse(file(hash)).success).toBe(false);
  expect(Value.safeParse({ kind: "list", items: [file(sha256("a")), file(hash)] }).success).toBe(false);
});
