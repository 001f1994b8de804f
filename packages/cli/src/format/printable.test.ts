import { describe, expect, it } from "vitest";
import { printable, printedLine } from "./printable.ts";

describe("printable", () => {
  it("shows control characters instead of obeying them", () => {
    expect(printable("a\nb\tc\u001b[2Jd\u009b")).toBe("a\\nb\\tc\\x1b[2Jd\\x9b");
  });

  it("leaves names of any language alone", () => {
    expect(printable("肺 é 'x'")).toBe("肺 é 'x'");
  });
});

describe("a printed line", () => {
  it("loses colours and keeps the last state of a progress bar", () => {
    expect(printedLine("\u001b[31mError\u001b[0m: no\r")).toBe("Error: no");
    expect(printedLine(" 10%|#\r 50%|###\r100%|######")).toBe("100%|######");
    expect(printedLine("\tat line 3")).toBe("    at line 3");
  });
});
