import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadySet } from "./ready-set.ts";

test("the most urgent stage comes first, and within a stage the oldest", () => {
  const ready = new ReadySet<string>();
  ready.add("late", 0, "late.0");
  ready.add("soon", 5, "soon.0");
  ready.add("late", 0, "late.1");
  ready.add("soon", 5, "soon.1");
  ready.add("soon", 5, "soon.2");
  expect([ready.stages(), ready.size, ready.count("soon"), ready.count("none")]).toEqual([["soon", "late"], 5, 3, 0]);
  expect(ready.take("soon", 2)).toEqual(["soon.0", "soon.1"]);
  expect(ready.take("soon", 2)).toEqual(["soon.2"]);
  expect([ready.stages(), ready.take("soon", 2)]).toEqual([["late"], []]);
  expect([ready.clear(), ready.size, ready.stages()]).toEqual([["late.0", "late.1"], 0, []]);
});

test("whatever is added and taken, nothing is lost and nothing comes twice", () => {
  const steps = fc.array(fc.oneof(fc.record({ add: fc.nat(2) }), fc.record({ take: fc.nat(2), most: fc.nat(4) })));
  fc.assert(
    fc.property(steps, (list) => {
      const ready = new ReadySet<number>();
      const waiting: number[][] = [[], [], []];
      for (const [index, step] of list.entries()) {
        if ("add" in step) {
          ready.add(String(step.add), step.add, index);
          waiting[step.add]?.push(index);
        } else expect(ready.take(String(step.take), step.most)).toEqual(waiting[step.take]?.splice(0, step.most));
        expect(ready.size).toBe(waiting.flat().length);
      }
      expect(ready.clear().toSorted()).toEqual(waiting.flat().toSorted());
    }),
  );
});
