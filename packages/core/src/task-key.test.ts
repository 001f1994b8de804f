import type { KeyPart } from "@wf/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { taskKey } from "./task-key.ts";

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

const part = fc.record({ name: fc.string(), hash: fc.stringMatching(/^[0-9a-f]{8}$/) });
const several = fc.uniqueArray(part, { selector: ({ name }) => name, minLength: 2 });

test.each(["", '"'])("no name passes for several parts, whatever it holds (with %j around a name)", (quote) => {
  const line = ({ name, hash }: KeyPart) => `${hash} ${quote}${name}`;
  fc.assert(
    fc.property(several, (list) => {
      const [first, ...others] = list.toSorted((a, b) => (line(a) < line(b) ? -1 : 1)) as [KeyPart, ...KeyPart[]];
      const name = [first.name, ...others.map(line)].join(`${quote}\n`);
      expect(taskKey([{ name, hash: first.hash }])).not.toBe(taskKey(list));
    }),
  );
});

test("parts cannot be shifted between name and hash", () => {
  expect(taskKey([{ name: "ab", hash: "c" }])).not.toBe(taskKey([{ name: "a", hash: "bc" }]));
});
