import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { AfterMark } from "./after-mark.ts";

async function pass(chunks: readonly string[]): Promise<{ out: string; line: string | undefined; chatter: string }> {
  let line: string | undefined;
  const stream = new AfterMark("\x1ewf-1", (rest) => {
    line = rest;
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return { out: await text(stream), line, chatter: stream.chatter };
}

it("passes on what follows the mark, however it is cut into pieces", async () => {
  const whole = "Welcome!\n\x1ewf-1 4711\nfirst\n\x1ewf-1 is only text now\n";
  const expected = { out: "first\n\x1ewf-1 is only text now\n", line: "4711", chatter: "Welcome!" };
  expect(await pass([whole])).toEqual(expected);
  expect(await pass([...whole])).toEqual(expected);
  for (let at = 1; at < whole.length; at += 1)
    expect(await pass([whole.slice(0, at), whole.slice(at)])).toEqual(expected);
});

it("keeps the end of what came where there is no mark", async () => {
  const { out, line, chatter } = await pass(["x".repeat(10_000), "no shell for you"]);
  expect([out, line]).toEqual(["", undefined]);
  expect(chatter.endsWith("no shell for you")).toBe(true);
  expect(chatter.length).toBeLessThan(5_000);
});
