import fc from "fast-check";
import { expect, test } from "vitest";
import { parseBytes, parseSeconds, WfError } from "../index.ts";

test.each([
  ["7", 7],
  ["7B", 7],
  [" 1.5 KB ", 1500],
  ["2MB", 2_000_000],
  ["4GB", 4_000_000_000],
  ["3TB", 3_000_000_000_000],
  ["2KiB", 2048],
  ["512MiB", 536_870_912],
  ["1.5GiB", 1_610_612_736],
  ["3TiB", 3_298_534_883_328],
  [4096, 4096],
  [0, 0],
  ["0.0005KB", 1],
])("%j are %i bytes", (text, bytes) => expect(parseBytes(text)).toBe(bytes));

test.each([
  ["90s", 90],
  ["30m", 1800],
  ["30min", 1800],
  ["2h", 7200],
  ["1h30m", 5400],
  ["1d12h", 129_600],
  ["0.5h", 1800],
  [45, 45],
])("%j are %i seconds", (text, seconds) => expect(parseSeconds(text)).toBe(seconds));

test.each([
  "4gb",
  "4 apples",
  "",
  "GB",
  "-1GB",
  "1e3",
  "4GB2",
  "4constructor",
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
])("%j is no amount of memory", (text) => expect(() => parseBytes(text)).toThrow(WfError));

test.each(["1h30", "30x", "h", "1h-30m", "4toString", -5])("%j is no time", (text) => {
  expect(() => parseSeconds(text)).toThrow(WfError);
});

test("whatever is written, a finite amount comes out, or a refusal", () => {
  const written = fc.oneof(fc.string(), fc.double(), fc.stringMatching(/^\d{1,4}[a-zA-Z]{0,12}$/));
  fc.assert(
    fc.property(written, (text) => {
      for (const parse of [parseBytes, parseSeconds]) {
        try {
          expect(parse(text)).toSatisfy((amount) => Number.isFinite(amount) && (amount as number) >= 0);
        } catch (error) {
          if (!(error instanceof WfError)) throw error;
        }
      }
    }),
  );
});
