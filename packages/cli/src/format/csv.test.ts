import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("quotes what would be read as something else", () => {
  expect(csvLine(["a,b", 'say "x"', "two\nlines", " led", "plain", ""])).toBe(
    '"a,b","say ""x""","two\nlines"," led",plain,""',
  );
});

it("tells NULL from an empty text, and writes numbers and bytes", () => {
  expect(csvLine([null, "", 1.5, 10n, true, new Uint8Array([1, 255])])).toBe(',"",1.5,10,true,01ff');
});
