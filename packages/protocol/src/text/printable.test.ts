import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { colouredText, printable, printableJson, printableText } from "./printable.ts";

/** What a terminal obeys, or turns round. */
const OBEYED: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xfeff, 0xfeff],
];
const obeyedIn = (text: string) =>
  Array.from(text).filter((one) => OBEYED.some(([from, to]) => one.charCodeAt(0) >= from && one.charCodeAt(0) <= to));
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const COLOURS = /\u001b\[[0-9;]*m/g;

const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      "\u001b",
      "\u001b[2J",
      "\u001b[31m",
      "\u001b[8m",
      "\u001b[0;8m",
      "\u001b]0;title\u0007",
      "\u009b2J",
    ),
    fc.constantFrom("\r", "\n", "\t", "\b", "\u202e", "\u2066", "\u007f", "[31m", "8", ";", "m", "\u001bP", "\u0000"),
    fc.string({ unit: "binary", maxLength: 3 }),
  ),
  { maxLength: 12 },
);

test("whatever is shown, a terminal gets text, and colours where they may be", () => {
  fc.assert(
    fc.property(hostile, (parts) => {
      const text = parts.join("");
      expect(obeyedIn(printable(text))).toEqual([]);
      expect(printable(text)).not.toMatch(/[\n\t]/);
      expect(obeyedIn(printableText(text))).toEqual([]);
      const coloured = colouredText(text);
      expect(obeyedIn(coloured.replace(COLOURS, ""))).toEqual([]);
      for (const [sequence] of coloured.matchAll(COLOURS)) expect(sequence.slice(2, -1).split(";")).not.toContain("8");
      expect(printableText(text).split("\n")).toHaveLength(text.split("\n").length);
    }),
    cases(500),
  );
});

test("JSON stays the same JSON", () => {
  fc.assert(
    fc.property(hostile, fc.json(), (parts, json) => {
      const value = { [parts.join("")]: parts, more: JSON.parse(json) };
      const shown = printableJson(JSON.stringify(value));
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(obeyedIn(shown)).toEqual([]);
    }),
    cases(300),
  );
});

test("control characters are shown instead of obeyed, and names of any language are left alone", () => {
  expect(printable("a\nb\tc\u001b[2Jd\u009b")).toBe("a\\nb\\tc\\x1b[2Jd\\x9b");
  expect(printable("exe\u202egpj")).toBe("exe\\u202egpj");
  expect(printable("肺 é 'x' שלום")).toBe("肺 é 'x' שלום");
  expect(colouredText("\u001b[31mred\u001b[0m \u001b[2J\u001b[8mhidden")).toBe(
    "\u001b[31mred\u001b[0m \\x1b[2J\\x1b[8mhidden",
  );
});
