import { WfError } from "@wf/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { directory, file, fn, json, task } from "./index.ts";

const outputs = { model: file("pt"), state: file("pt"), folder: directory(), scores: json(z.number()) };
const command = () => ["train"];

function declared(resumable: unknown) {
  return task({ name: "train", outputs, command, resumable: resumable as never }).declaration.resumable;
}

test("names the output that is the checkpoint, and when the task is told", () => {
  expect(declared({ checkpoint: "state" })).toEqual({ checkpoint: "state", warnSeconds: null });
  expect(declared({ checkpoint: "folder", warn: "2m" })).toEqual({ checkpoint: "folder", warnSeconds: 120 });
  expect(declared(undefined)).toBeUndefined();
});

test.each([
  ["no object", true, "no object"],
  ["an unknown property", { checkpoint: "state", every: "1h" }, '"every"'],
  ["no output", { checkpoint: "weights" }, '"weights" is no output'],
  ["a JSON value", { checkpoint: "scores" }, '"scores" is JSON'],
  ["nothing named", {}, "no output"],
  ["no time to tell", { checkpoint: "state", warn: 0 }, "warn is 0"],
  ["no time at all", { checkpoint: "state", warn: "soon" }, "soon"],
])("refuses %s", (_, resumable, words) => {
  expect(() => declared(resumable)).toThrow(WfError);
  expect(() => declared(resumable)).toThrow(words);
});

test("a fn runs beside the engine, in one piece", () => {
  const options = {
    name: "glue",
    outputs: { state: file() },
    run: () => ({ state: "" }),
    resumable: { checkpoint: "state" },
  };
  expect(() => fn(options as never)).toThrow("a fn cannot be resumable");
});
