import { posix, sep } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { attemptName } from "../names/attempt-name.ts";
import { isPlainName } from "../names/plain-name.ts";
import { attemptOfRecord, localRunFolder, siteRunFolder } from "./run-folder.ts";

test("the folder of a run, as it lies on disks since the first release", () => {
  const run = siteRunFolder("/scratch/wf", "r1");
  const attempt = run.attempt("train@2");
  const submission = run.submission("0123456789abcdef");
  expect({
    ...run,
    attempt: [attempt.root, attempt.sandbox, attempt.pictures, attempt.command, attempt.place],
    streams: [attempt.stream("stdout"), attempt.stream("stderr", 0), attempt.stream("stderr", 3)],
    record: run.record("train@2"),
    submission: [submission.root, submission.output(7)],
  }).toEqual({
    root: "/scratch/wf/runs/r1",
    attempts: "/scratch/wf/runs/r1/attempts",
    attempt: ["", "/sandbox", "/pictures", "/command.json", "/place.json"].map(
      (path) => `/scratch/wf/runs/r1/attempts/train@2${path}`,
    ),
    streams: ["stdout", "stderr", "ranks/3.stderr"].map((path) => `/scratch/wf/runs/r1/attempts/train@2/${path}`),
    records: "/scratch/wf/runs/r1/records",
    record: "/scratch/wf/runs/r1/records/train@2.json",
    submissions: "/scratch/wf/runs/r1/submissions",
    submission: ["", "/output/7.txt"].map((path) => `/scratch/wf/runs/r1/submissions/0123456789abcdef${path}`),
    outputs: "/scratch/wf/runs/r1/outputs",
    engineLog: "/scratch/wf/runs/r1/engine.log",
    consoleLog: "/scratch/wf/runs/r1/console.log",
    launcherLog: "/scratch/wf/runs/r1/launcher.log",
    launcherLock: "/scratch/wf/runs/r1/launcher.lock",
    eventLog: "/scratch/wf/runs/r1/condor.log",
    queue: "/scratch/wf/runs/r1/queue.json",
    store: "/scratch/wf/runs/r1/store.json",
  });
});

test("it is the same here, with the separators of this machine", () => {
  const here = localRunFolder("/scratch/wf", "r1");
  expect(here.record("a@1").split(sep)).toEqual(siteRunFolder("/scratch/wf", "r1").record("a@1").split(posix.sep));
});

test("the name of a record's file says whose it is", () => {
  const folder = siteRunFolder("/s", "r");
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,9}$/), fc.integer({ min: 1, max: 99 }), (task, number) => {
      const attempt = attemptName(task, number);
      expect(attemptOfRecord(posix.basename(folder.record(attempt)))).toBe(attempt);
    }),
  );
});

test.each([["a@1"], [".a@1.json.tmp"], [".a@1.json"], ["a@1.json.part"], ["../a@1.json"], ["a\0.json"]])(
  "%j is the file of no record",
  (file) => {
    expect(attemptOfRecord(file)).toBeUndefined();
  },
);

test("no name leads out of the folder that it belongs to", () => {
  const folder = siteRunFolder("/s", "r");
  const ways = [
    (name: string) => siteRunFolder("/s", name).root,
    (name: string) => folder.attempt(name).root,
    (name: string) => folder.submission(name).root,
  ];
  const hostile = fc.oneof(
    fc.constantFrom("", ".", "..", "../r2", "a/b", "/etc", "a\0", "x".repeat(256), "\ud800"),
    fc.string(),
  );
  fc.assert(
    fc.property(hostile, fc.nat({ max: ways.length - 1 }), (name, way) => {
      const make = () => (ways[way] as (name: string) => string)(name);
      if (isPlainName(name)) expect(posix.basename(make())).toBe(name);
      else expect(make).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
    }),
  );
  expect(() => folder.record("../../r2/records/a@1")).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
});
