import { expect, test } from "vitest";
import { renderCommand, renderParam } from "./render-command.ts";

const values: Record<string, string | string[]> = {
  "inputs one": "in/one/a b.csv",
  "inputs many": ["in/many/0.png", "in/many/1.png"],
  "inputs none": [],
  "params lr": "0.1",
  "params layers": ["64", "32"],
};
const render = (...template: Parameters<typeof renderCommand>[0]) =>
  renderCommand(template, (from, name) => values[`${from} ${name}`] ?? "?");
const input = (name: string) => ({ from: "inputs", name }) as const;
const param = (name: string) => ({ from: "params", name }) as const;

test("a name becomes one argument, whatever is in it", () => {
  expect(render(["sort"], [input("one")])).toEqual(["sort", "in/one/a b.csv"]);
});

test("a list that stands alone becomes several arguments, or none", () => {
  expect(render(["zip"], [input("many")], [input("none")])).toEqual(["zip", "in/many/0.png", "in/many/1.png"]);
});

test("inside of a text a list is written with commas", () => {
  expect(render(["--lr=", param("lr")], ["--layers=", param("layers"), "!"], ["--in=", input("none")])).toEqual([
    "--lr=0.1",
    "--layers=64,32!",
    "--in=",
  ]);
});

test.each([
  [0.1, "0.1"],
  [true, "true"],
  ["a b", "a b"],
  ["", ""],
  [{ b: 1, a: [2] }, '{"a":[2],"b":1}'],
  [null, ""],
])("the parameter %j is written as %j", (value, text) => expect(renderParam(value)).toEqual(text));

test("a list of parameters is flat", () => {
  expect(renderParam([1, ["a", { b: 2 }], true])).toEqual(["1", "a", '{"b":2}', "true"]);
  expect(renderParam([])).toEqual([]);
});
