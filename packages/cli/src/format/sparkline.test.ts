import { describe, expect, it } from "vitest";
import { sparkline } from "./sparkline.ts";

describe("sparkline", () => {
  it("spans from the lowest to the highest value", () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 20)).toBe("▁▂▃▄▅▆▇█");
    expect(sparkline([-1, 1], 20)).toBe("▁█");
  });

  it("averages what does not fit", () => {
    expect(sparkline([0, 0, 10, 10], 2)).toBe("▁█");
    expect(
      sparkline(
        Array.from({ length: 1000 }, (_, i) => i),
        10,
      ),
    ).toHaveLength(10);
  });

  it("leaves a gap where nothing is known", () => {
    expect(sparkline([1, null, 2], 20)).toBe("▁ █");
    expect(sparkline([null, null], 20)).toBe("  ");
    expect(sparkline([], 20)).toBe("");
  });

  it("draws a flat series as a flat line", () => {
    expect(sparkline([3, 3, 3], 20)).toBe("▁▁▁");
  });
});
