import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";

test("lines come out whole, however the bytes are cut", () => {
  const line = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => JSON.stringify(text));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(400)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      const seen: string[] = [];
      const push = createLineSplitter((text) => seen.push(text));
      let from = 0;
      for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
        const to = Math.min(cut, bytes.length);
        if (to > from) push(bytes.subarray(from, to));
        from = Math.max(from, to);
      }
      expect(seen).toEqual(lines);
    }),
  );
});

test("an unfinished line waits for its end", () => {
  const seen: string[] = [];
  const push = createLineSplitter((text) => seen.push(text));
  push(Buffer.from('{"a":1}\n{"b"'));
  expect(seen).toEqual(['{"a":1}']);
  push(Buffer.from(":2}\n"));
  expect(seen).toEqual(['{"a":1}', '{"b":2}']);
});
