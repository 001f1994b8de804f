import fc from "fast-check";
import { expect, test } from "vitest";
import { CommandBudget } from "./command-budget.ts";

test("no stretch of the budget's length has more starts than it allows, and nothing waits without need", () => {
  const gaps = fc.array(fc.nat(50), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 }), gaps, (commands, perMs, waits) => {
      const budget = new CommandBudget({ commands, perMs });
      let nowMs = 0;
      const starts = waits.map((wait) => {
        nowMs += wait;
        return { askedMs: nowMs, startMs: budget.book("squeue", nowMs) };
      });
      for (const [position, { askedMs, startMs }] of starts.entries()) {
        expect(startMs).toBeGreaterThanOrEqual(askedMs);
        const earlier = starts[position - commands];
        if (earlier !== undefined) expect(startMs - earlier.startMs).toBeGreaterThanOrEqual(perMs);
        if (startMs > askedMs) {
          const isBusy = earlier?.startMs === startMs - perMs || starts[position - 1]?.startMs === startMs;
          expect(isBusy).toBe(true);
        }
      }
    }),
  );
});

test("commands are counted by their names", () => {
  const budget = new CommandBudget({ commands: 100, perMs: 1000 });
  for (const command of ["sbatch", "squeue", "squeue"]) budget.book(command, 0);
  expect(Object.fromEntries(budget.counts)).toEqual({ sbatch: 1, squeue: 2 });
});
