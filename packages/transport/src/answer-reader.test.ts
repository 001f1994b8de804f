import { Readable } from "node:stream";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AnswerReader } from "./answer-reader.ts";

it("reads lines and bytes in turns, however the stream is cut into pieces", async () => {
  const item = fc.record({ line: fc.string().map((line) => line.replaceAll("\n", "")), bytes: fc.uint8Array() });
  await fc.assert(
    fc.asyncProperty(fc.array(item), fc.integer({ min: 1, max: 20 }), async (items, size) => {
      const whole = Buffer.concat(items.flatMap(({ line, bytes }) => [Buffer.from(`${line}\n`), bytes]));
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) =>
        whole.subarray(n * size, (n + 1) * size),
      );
      const reader = new AnswerReader(Readable.from(pieces, { objectMode: false }));
      for (const { line, bytes } of items) {
        expect(await reader.line()).toBe(Buffer.from(line).toString());
        expect(await reader.bytes(bytes.length)).toEqual(Buffer.from(bytes));
      }
      expect(await reader.line()).toBeUndefined();
    }),
    cases(50),
  );
});

it("gives nothing of a line or of bytes that are cut off", async () => {
  expect(await new AnswerReader(Readable.from([Buffer.from("half a li")])).line()).toBeUndefined();
  expect(await new AnswerReader(Readable.from([Buffer.from("abc")])).bytes(4)).toBeUndefined();
});
