import { expect, it } from "vitest";
import { bestEnd } from "./metric-direction.ts";

it.each(["loss", "val_loss", "loss/train", "test-error", "rmse", "count_error", "mean error"])(
  "less %s is better",
  (name) => {
    expect(bestEnd(name)).toBe("lowest");
  },
);

it.each(["dice", "accuracy", "f1", "glossary", "errorless", "slope", "closses"])("more %s is better", (name) => {
  expect(bestEnd(name)).toBe("highest");
});
