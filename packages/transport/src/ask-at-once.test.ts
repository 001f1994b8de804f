import { expect, test } from "vitest";
import { askAtOnce, localTransport } from "./index.ts";

const { signal } = new AbortController();

test("several questions, one command", async () => {
  const transport = localTransport();
  const answers = await askAtOnce(
    transport,
    {
      plain: 'echo "it\'s $greeting"',
      failing: "echo oh >&2\nexit 7",
      greedy: "cat",
      missing: "no-such-program-here",
      "with a space": "printf 'no newline'",
    },
    signal,
    "greeting=hello",
  );
  expect(answers).toEqual({
    plain: { code: 0, text: "it's hello\n" },
    failing: { code: 7, text: "oh\n" },
    greedy: { code: 0, text: "" },
    missing: { code: 127, text: expect.stringContaining("not found") },
    "with a space": { code: 0, text: "no newline" },
  });
  expect(transport.counts.commands).toBe(1);
});
