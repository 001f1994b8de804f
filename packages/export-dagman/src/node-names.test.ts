import { expect, test } from "vitest";
import { NodeNames } from "./node-names.ts";

test("a node has a name that DAGMan takes, and no other has", () => {
  const names = new NodeNames();
  const wanted = ["train.3", "search/train.0.1", "train_3", "TRAIN_3", "parent", "child.0"];
  expect(wanted.map((name) => names.nameOf(name))).toEqual([
    "train_3",
    "search_train_0_1",
    "train_3__2",
    "TRAIN_3__3",
    "parent_",
    "child_0",
  ]);
});
