import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Graph } from "@wf/core";
import { ObjectStore } from "@wf/data";
import { type FileValue, sha256 } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { summariseOutput, writeOutputs } from "./outputs.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wf outputs "));
});
afterEach(() => rmSync(home, { recursive: true }));

const file = (name: string): FileValue => ({ kind: "file", hash: sha256("x"), size: 1, name });

test("an output has its own name and the ending of the file that the task wrote", () => {
  expect(summariseOutput("model", file("m.tar.gz"), "/r").path).toBe("/r/model.tar.gz");
  expect(summariseOutput("model", file(".hidden"), "/r").path).toBe("/r/model");
  expect(summariseOutput("model", file(`m.${"x".repeat(252)}`), "/r").path).toBe("/r/model");
});

test("whatever a file was named, its output lies in the folder", () => {
  const step = fc.constantFrom("..", ".", "", "a.b", ".bashrc", "m", "x".repeat(260), "\n", "\0");
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      try {
        const { path } = summariseOutput("model", file(steps.join("/")), "/home/results");
        expect(dirname(path as string)).toBe("/home/results");
      } catch (error) {
        expect(error).toMatchObject({ code: "WF_PATH_ESCAPE" });
      }
    }),
    cases(300),
  );
});

test("a file that names another one replaces nothing", async () => {
  const objects = new ObjectStore(join(home, "store"));
  const { hash } = objects.putBytes(Buffer.from("hostile"), "m");
  mkdirSync(join(home, "results"));
  writeFileSync(join(home, ".bashrc"), "mine");
  const graph = { outputs: { m: { kind: "artifact" } } } as unknown as Graph;
  const value = { ...file("m/../../.bashrc"), hash };
  const place = { objects, folder: join(home, "results"), run: "r", bring: async () => undefined };
  await expect(writeOutputs(graph, () => value, place)).rejects.toMatchObject({ code: "WF_PATH_ESCAPE" });
  expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe("mine");
  expect(readdirSync(join(home, "results"))).toEqual([]);
});

test("what a run that was killed has left of an output is gone when it is resumed; what others write is left alone", async () => {
  const objects = new ObjectStore(join(home, "store"));
  const value = objects.putBytes(Buffer.from("text"), "m.txt");
  const folder = join(home, "results");
  mkdirSync(folder);
  const graph = { outputs: { m: { kind: "artifact" } } } as unknown as Graph;
  writeFileSync(join(folder, `.m.txt.${sha256("killed").slice(0, 12)}`), "te");
  writeFileSync(join(folder, `.m.txt.${sha256("other").slice(0, 12)}`), "te");
  await writeOutputs(graph, () => value, { objects, folder, run: "killed", bring: async () => undefined });
  expect(readdirSync(folder).sort()).toEqual([`.m.txt.${sha256("other").slice(0, 12)}`, "m.txt"]);
});
