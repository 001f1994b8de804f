import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordedLog } from "../testing/recording.ts";
import { parseClassAds } from "./parse-class-ads.ts";

const ad = (...lines: string[]) => `<c>\n${lines.map((line) => `    ${line}\n`).join("")}</c>\n`;
const ONE = ad('<a n="A"><i>1</i></a>');

test("every kind of value", () => {
  const { ads } = parseClassAds(
    ad(
      '<a n="S"><s>a &lt;b&gt; &amp; &quot;c&quot; &#228;\nsecond line</s></a>',
      '<a n="E"><s></s></a>',
      '<a n="O"><s>&constructor;</s></a>',
      '<a n="I"><i>-5</i></a>',
      '<a n="R"><r>1.700000000000000E+01</r></a>',
      '<a n="T"><b v="t"/></a>',
      '<a n="F"><b v="f"/></a>',
      '<a n="U"><un/></a>',
      '<a n="X"><e>(Memory &gt; 5)</e></a>',
      '<a n="L"><l><s>a</s><i>2</i></l></a>',
      '<a n="N"><l></l></a>',
      '<a n="C"><c>',
      '    <a n="Inner"><i>3</i></a>',
      "</c></a>",
    ),
  );
  expect(Object.fromEntries(ads[0] ?? [])).toEqual({
    S: 'a <b> & "c" ä\nsecond line',
    E: "",
    O: "&constructor;",
    I: -5,
    R: 17,
    T: true,
    F: false,
    U: null,
    X: "(Memory > 5)",
    L: ["a", 2],
    N: [],
    C: new Map([["Inner", 3]]),
  });
});

test.each([
  ["a header", `<?xml version="1.0"?>\n<classads>\n${ONE}${ONE}`, 2, ""],
  ["cut off at its beginning", `"A"><i>1</i></a>\n</c>\n${ONE}`, 1, ""],
  ["cut off in the middle", `<c>\n    <a n="A"><i>1<c>\n${ONE}<c>\n  <a n\n${ONE}`, 2, ""],
  ["cut off at its end", `${ONE}<c>\n    <a n="A"`, 1, '<c>\n    <a n="A"'],
  ["half of a first line", `${ONE}<c`, 1, "<c"],
  ["half of a last line", `${ONE}<c>\n</`, 1, "<c>\n</"],
  ["not well-formed", `<c>\n<a n="A"><i>1</s></a>\n</c>\n${ONE}`, 1, ""],
  ["a letter that there is not", `${ad('<a n="A"><s>&#99999999;</s></a>')}${ONE}`, 1, ""],
  ["lists without end", `${ad(`<a n="A">${"<l>".repeat(5e4)}${"</l>".repeat(5e4)}</a>`)}${ONE}`, 1, ""],
  ["nothing", "", 0, ""],
])("of a text with %s, what is whole", (_, text, count, rest) => {
  const parsed = parseClassAds(text);
  expect([parsed.ads.length, parsed.rest]).toEqual([count, rest]);
});

test("wherever a log is cut, its halves tell the same as the whole", () => {
  const log = recordedLog("held-by-hand");
  const whole = parseClassAds(log).ads;
  expect(whole.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(fc.array(fc.nat(log.length), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), log.length];
      let rest = "";
      const heard = places.slice(1).flatMap((end, index) => {
        const parsed = parseClassAds(rest + log.slice(places[index], end));
        rest = parsed.rest;
        return parsed.ads;
      });
      expect(heard).toEqual(whole);
    }),
    cases(50),
  );
});
