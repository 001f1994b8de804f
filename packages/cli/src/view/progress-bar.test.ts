import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_COLOURS } from "../format/colour.ts";
import { progressBar, shares } from "./progress-bar.ts";
import { StageProgress } from "./stage-progress.ts";

describe("shares", () => {
  it("add up to the width, and show whatever happened as long as there is room", () => {
    const counts = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 6, max: 200 }), (given, width) => {
        const widths = shares(given, width);
        const total = given.reduce((a, b) => a + b, 0);
        expect(widths.reduce((a, b) => a + b, 0)).toBe(total === 0 ? 0 : width);
        given.forEach((count, index) => {
          if (count > 0) expect(widths[index]).toBeGreaterThan(0);
          else expect(widths[index]).toBe(0);
        });
      }),
    );
  });
});

describe("progress bar", () => {
  it("tells ended, running and waiting apart without colours", () => {
    const stage = new StageProgress("a");
    stage.planned = 10;
    stage.ends.done = 5;
    stage.ends.skipped = 1;
    stage.running = 2;
    stage.waiting = 2;
    expect(progressBar(stage, 10, NO_COLOURS)).toBe("━━━━━─╍╍··");
  });

  it("is empty dots before anything is known", () => {
    expect(progressBar(new StageProgress("a"), 5, NO_COLOURS)).toBe("·····");
  });
});
