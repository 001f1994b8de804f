import fc from "fast-check";
import { expect, test } from "vitest";
import { type KeyPart, taskKey } from "./task-key.ts";

const parts = fc.uniqueArray(fc.record({ name: fc.string(), hash: fc.string() }), { selector: (part) => part.name });

test("the order of the parts does not matter", () => {
  fc.assert(fc.property(parts, (list) => taskKey([...list].reverse()) === taskKey(list)));
});

test("another hash or name makes another key, another text does not", () => {
  const key = (part: Partial<KeyPart>) => taskKey([{ name: "code", hash: "a", text: "x", ...part }]);
  expect(key({ hash: "b" })).not.toBe(key({}));
  expect(key({ name: "command" })).not.toBe(key({}));
  expect(key({ text: "y" })).toBe(key({}));
});

test("parts cannot be shifted between name and hash", () => {
  expect(taskKey([{ name: "ab", hash: "c" }])).not.toBe(taskKey([{ name: "a", hash: "bc" }]));
});
