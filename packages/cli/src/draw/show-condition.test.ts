import type { Ref } from "@wf/core";
import { describe, expect, it } from "vitest";
import { opposite, showCondition } from "./show-condition.ts";

const is = (name: string, op: ">=" | "<" | "==", value: number | string): Ref => ({
  ref: "compare",
  op,
  left: { ref: "metric", node: "train", name },
  right: { ref: "const", value },
});
const logic = (op: "and" | "or" | "not", ...of: Ref[]): Ref => ({ ref: "logic", op, of });
const flag: Ref = { ref: "output", node: "judge", name: "good" };
const show = (ref: Ref) => showCondition(ref).replaceAll("\u00a0", " ");

describe("showCondition", () => {
  it.each<[string, Ref]>([
    ["dice ≥ 0.9", is("dice", ">=", 0.9)],
    ['kind = "x"', is("kind", "==", "x")],
    ["good", flag],
    ["not good", logic("not", flag)],
    ["dice < 0.9", logic("not", is("dice", ">=", 0.9))],
    ["good", logic("not", logic("not", flag))],
    ["dice ≥ 0.9 and loss < 1", logic("and", is("dice", ">=", 0.9), is("loss", "<", 1))],
    ["good and (dice ≥ 1 or loss < 1)", logic("and", flag, logic("or", is("dice", ">=", 1), is("loss", "<", 1)))],
    [
      "good and (dice < 1 or loss ≥ 1)",
      logic("and", flag, logic("not", logic("and", is("dice", ">=", 1), is("loss", "<", 1)))),
    ],
    ["not good or loss ≥ 1", opposite(logic("and", flag, is("loss", "<", 1)))],
  ])("%s", (text, ref) => {
    expect(show(ref)).toBe(text);
  });
});
