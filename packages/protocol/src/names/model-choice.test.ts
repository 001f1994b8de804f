import fc from "fast-check";
import { expect, test } from "vitest";
import { type ModelChoice, parseModelChoice, showModelChoice } from "./model-choice.ts";

test.each<[string, ModelChoice]>([
  ["lung-unet", { name: "lung-unet", pick: "newest" }],
  ["lung-unet@3", { name: "lung-unet", pick: "version", version: 3 }],
  ["lung-unet@good", { name: "lung-unet", pick: "tag", tag: "good" }],
  ["lung-unet@best", { name: "lung-unet", pick: "tag", tag: "best" }],
  ["lung-unet@best:dice", { name: "lung-unet", pick: "highest", metric: "dice" }],
  ["lung-unet@lowest:val/loss", { name: "lung-unet", pick: "lowest", metric: "val/loss" }],
])("%s", (text, choice) => {
  expect(parseModelChoice(text)).toEqual(choice);
});

test.each(["", "@3", "3", "a b", "a@", "a@0", "a@-1", "a@03", "a@1.5", "a@b@c", "a@best:", "a@worst:dice", "../a"])(
  "%j is no model",
  (text) => {
    expect(parseModelChoice(text)).toBeUndefined();
  },
);

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/);
const choice: fc.Arbitrary<ModelChoice> = fc.oneof(
  fc.record({ name, pick: fc.constant("newest" as const) }),
  fc.record({ name, pick: fc.constant("version" as const), version: fc.integer({ min: 1, max: 999_999_999 }) }),
  fc.record({ name, pick: fc.constant("tag" as const), tag: name }),
  fc.record({
    name,
    pick: fc.constantFrom("highest" as const, "lowest" as const),
    metric: fc.string({ minLength: 1 }),
  }),
);

test("what is shown can be read again", () => {
  fc.assert(
    fc.property(choice, (one) => {
      expect(parseModelChoice(showModelChoice(one))).toEqual(one);
    }),
  );
});
