import { workflow } from "@wf/core";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { givenParams } from "./given-params.ts";

const params = z.object({ name: z.string(), epochs: z.number(), rates: z.array(z.number()), either: z.any() });
const some = workflow({ name: "some", params, build: () => ({}) });
const given = (...param: string[]) => givenParams({ param }, some);

describe("parameters of the command line", () => {
  it("are JSON where the schema takes it", () => {
    expect(given("epochs=8", "rates=[0.1,0.2]", "either=true")).toEqual({ epochs: 8, rates: [0.1, 0.2], either: true });
  });

  it("are texts where only a text will do", () => {
    expect(given("name=3")).toEqual({ name: "3" });
    expect(given("name=a=b c")).toEqual({ name: "a=b c" });
  });

  it("may be called what every object has", () => {
    expect(given("constructor=1", "toString=2")).toEqual({ constructor: 1, toString: 2 });
    expect(Object.keys(given("__proto__=1"))).toEqual(["__proto__"]);
  });

  it("are refused where they are nested without end", () => {
    for (const levels of [300, 5_000, 100_000]) {
      const refusal = expect.objectContaining({ code: "WF_PARAM_INVALID" });
      expect(() => given(`either=${"[".repeat(levels)}${"]".repeat(levels)}`)).toThrow(refusal);
    }
  });

  it("stay as they are where nothing fits, so that the error shows them", () => {
    expect(given("epochs=many", "unknown=1")).toEqual({ epochs: "many", unknown: 1 });
  });
});

test("parameters may come through a pipe, and not from what never ends", () => {
  const schema = { params: { shape: {} } } as never;
  expect(() => givenParams({ param: [], params: "/dev/zero" }, schema)).toThrow(
    expect.objectContaining({ code: "WF_FILE_NOT_FOUND" }),
  );
});
