import { expect, it } from "vitest";
import { wrapped } from "./wrap.ts";

it.each([
  ["one two three", 8, ["one two", "three"]],
  ["one  two", 20, ["one  two"]],
  ["one  two", 5, ["one", "two"]],
  ["incomprehensible yes", 6, ["incomprehensible", "yes"]],
  ["", 6, [""]],
])("%j in %i columns", (text, width, lines) => {
  expect(wrapped(text, width)).toEqual(lines);
});
