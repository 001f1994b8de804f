import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { type CommandTemplate, file, task } from "./index.ts";
import { refusalsIn, type Untyped } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));

function parsed(command: (names: Untyped) => unknown): CommandTemplate {
  return task({
    name: "sort",
    inputs: { text: file("txt") },
    outputs: { sorted: file("txt") },
    params: z.object({ key: z.number() }),
    code: { script: "./sort.py" },
    command: command as Untyped,
  }).declaration.command;
}

test("names stand alone, inside of texts and several times in one", () => {
  expect(
    parsed(({ inputs, outputs, params, code }) => [
      "sort",
      code.script,
      inputs.text,
      `--key=${params.key}`,
      `${inputs.text}:${outputs.sorted}!`,
      4,
      "",
    ]),
  ).toEqual([
    ["sort"],
    [{ from: "code", name: "script" }],
    [{ from: "inputs", name: "text" }],
    ["--key=", { from: "params", name: "key" }],
    [{ from: "inputs", name: "text" }, ":", { from: "outputs", name: "sorted" }, "!"],
    ["4"],
    [""],
  ]);
});

test("what looks like a source or a shell's word is only a text", () => {
  expect(parsed(() => ["inputs", "params.key", "$HOME", "a b; c", "inputs text"])).toEqual([
    ["inputs"],
    ["params.key"],
    ["$HOME"],
    ["a b; c"],
    ["inputs text"],
  ]);
});

test("a name that is not declared is refused with those that are", () => {
  expect(refusal(() => parsed(({ inputs }) => ["sort", inputs.txt]))).toMatchObject({
    code: "WF_DECLARATION",
    message: "the command uses inputs.txt, which is not declared",
    where: expect.stringContaining('task "sort"'),
    hint: "inputs has: text",
  });
});

test.each([
  ["empty", [], "is empty"],
  ["a shell's line", "sort in > out", "no list of arguments"],
  ["given something else", ["sort", undefined], "argument 1 of the command is neither"],
  ["given a NUL", ["sort", "a\0b"], "argument 1 of the command holds a NUL"],
  ["given a NUL that looks like a name", ["\0inputs\0text"], "argument 0 of the command holds a NUL"],
])("a command that is %s is refused and names the task", (_, argv, message) => {
  const { code, where, message: said } = refusal(() => parsed(() => argv));
  expect({ code, where }).toEqual({ code: "WF_DECLARATION", where: expect.stringContaining('task "sort" (study.ts:') });
  expect(said).toContain(message);
});
