import { expect, test } from "vitest";
import { propertySettings } from "./cases.ts";

test("says nothing where nobody asked, and what was asked for in the words of fast-check", () => {
  expect(propertySettings({ WF_TEST_CASES: "" })).toEqual({});
  const env = { WF_TEST_CASES: "10000", WF_TEST_SEED: "-7", WF_TEST_PATH: "12:0" };
  expect(propertySettings(env)).toEqual({ numRuns: 10_000, seed: -7, path: "12:0" });
});

test("refuses what it cannot follow", () => {
  expect(() => propertySettings({ WF_TEST_CASES: "many" })).toThrow('WF_TEST_CASES is "many"');
  expect(() => propertySettings({ WF_TEST_PATH: "12:0" })).toThrow("WF_TEST_SEED");
});
