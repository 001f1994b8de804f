import { describe, expect, it } from "vitest";
import { padEnd, padStart, textWidth, truncate } from "./text-width.ts";

describe("text width", () => {
  it("counts columns, not characters", () => {
    expect(textWidth("train")).toBe(5);
    expect(textWidth("肺")).toBe(2);
    expect(textWidth("e\u0301")).toBe(1);
    expect(textWidth("👩‍⚕️")).toBe(2);
    expect(textWidth("▸✓✗…█░│“”é")).toBe(10);
    expect(textWidth("\u001b[31mred\u001b[39m")).toBe(3);
  });

  it("never cuts a character in two and never exceeds the width", () => {
    expect(truncate("preprocess", 10)).toBe("preprocess");
    expect(truncate("preprocess", 9)).toBe("preproce…");
    expect(truncate("肺の画像", 4)).toBe("肺…");
    expect(truncate("👩‍⚕️👩‍⚕️", 3)).toBe("👩‍⚕️…");
    expect(truncate("abc", 1)).toBe("…");
    expect(truncate("abc", 0)).toBe("");
  });

  it("pads by columns", () => {
    expect(padEnd("肺", 4)).toBe("肺  ");
    expect(padStart("肺", 4)).toBe("  肺");
    expect(padEnd("toolong", 3)).toBe("toolong");
  });
});
