import { canonical, WfError } from "@wf/protocol";
import { describe, expect, test } from "vitest";
import { checkSpace } from "./check-space.ts";
import { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
import type { Space } from "./space.ts";
import { SpaceSchema } from "./space-schema.ts";

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof WfError && error.hint) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a parameter that cannot be searched is refused when it is written", () => {
  test.each<[string, () => unknown, string]>([
    ["an empty choice", () => choice([]), "choice([]) has nothing to choose from"],
    ["a value twice", () => choice([1, 2, 1]), "choice([1,2,1]) has a value twice"],
    ["ends in the wrong order", () => uniform(3, 1), "uniform(3, 1) is empty"],
    ["one point", () => uniform(2, 2), "uniform(2, 2) is empty"],
    ["no end", () => uniform(0, Number.POSITIVE_INFINITY), "not a parameter"],
    ["not a number", () => logUniform(Number.NaN, 1), "not a parameter"],
    ["wider than numbers are", () => uniform(-1e308, 1e308), "wider than a number"],
    ["the logarithm of zero", () => logUniform(0, 1), "0 has no logarithm"],
    ["the logarithm of less", () => integer(0, 8, { log: true }), "0 has no logarithm"],
    ["half a number", () => integer(0.5, 3), "not a parameter"],
    ["a step of nothing", () => integer(1, 3, { step: 0 }), "not a parameter"],
    ["a step too far", () => integer(1, 3, { step: 5 }), "one value only"],
    ["steps in a logarithm", () => integer(1, 9, { step: 2, log: true }), "do not go together"],
    ["no branch", () => oneOf("name", {}), 'oneOf("name", {}) has no branch'],
    ["a branch without a name", () => oneOf("", { a: {} }), "not a parameter"],
    ["a field twice", () => oneOf("name", { a: { name: uniform(0, 1) } }), 'branch "a" has a parameter of that name'],
    ["what is no value", () => choice([() => 1] as never), "not a parameter"],
  ])("%s", (_, work, message) => {
    const refusal = refusalOf(work);
    expect(refusal).toMatch(/^WF_SEARCH_SPACE: /);
    expect(refusal).toContain(message);
  });
});

describe("a space", () => {
  test("that is empty is refused", () => {
    expect(refusalOf(() => checkSpace({}))).toContain("the search space is empty");
  });

  test("names the parameter that is wrong, however deep", () => {
    const bad = { kind: "uniform", low: 2, high: 1 } as const;
    const space: Space = { opt: { kind: "one-of", field: "name", branches: { sgd: { momentum: bad } } } };
    expect(refusalOf(() => checkSpace(space))).toContain('parameter "opt.sgd.momentum": uniform(2, 1) is empty');
    expect(refusalOf(() => checkSpace({ lr: 3 } as never))).toContain('parameter "lr": not a parameter');
  });

  test("is plain data with one text", () => {
    const space = { opt: oneOf("name", { sgd: { m: uniform(0, 1) }, adam: {} }), n: integer(1, 8), a: choice(["x"]) };
    const stored = SpaceSchema.parse(JSON.parse(JSON.stringify(space)));
    expect(canonical(stored)).toBe(canonical(space));
    expect(() => checkSpace(stored)).not.toThrow();
  });
});
