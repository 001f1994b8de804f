import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { WfError } from "../errors/wf-error.ts";
import { attemptName, numberOfAttempt, parseAttemptName, taskOfAttempt } from "./attempt-name.ts";
import { jobName, parseJobName, plannedJobName } from "./job-name.ts";
import { isPlainName } from "./plain-name.ts";
import { queueName, submissionName, submissionToken } from "./queue-name.ts";
import { parseTaskName, stageOfTask, taskName } from "./task-name.ts";

const stage = fc
  .array(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/), { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"));
const index = fc.array(fc.nat(), { maxLength: 4 });
const number = fc.integer({ min: 1, max: 1_000_000 });
const kind = fc.constantFrom("job" as const, "fn" as const);

test("every name survives being made and parsed, from the task to its job", () => {
  fc.assert(
    fc.property(stage, index, number, kind, (stage, index, number, kind) => {
      const task = taskName(stage, index);
      expect(parseTaskName(task)).toEqual({ stage, index });
      expect(stageOfTask(task)).toBe(stage);
      const attempt = attemptName(task, number);
      expect(parseAttemptName(attempt)).toEqual({ task, number });
      expect([taskOfAttempt(attempt), numberOfAttempt(attempt)]).toEqual([task, number]);
      expect(isPlainName(attempt)).toBe(true);
      expect(parseJobName(jobName(kind, attempt))).toEqual({ kind, first: { task, number } });
    }),
    cases(500),
  );
});

test("two attempts have one name only if they are the same", () => {
  fc.assert(
    fc.property(stage, index, number, stage, index, number, (stage, index, number, other, place, next) => {
      const isSame = JSON.stringify([stage, index, number]) === JSON.stringify([other, place, next]);
      expect(attemptName(taskName(stage, index), number) === attemptName(taskName(other, place), next)).toBe(isSame);
    }),
  );
});

test("what parses is what was made: no other text is taken for a name", () => {
  const almost = fc.stringMatching(/^[a-b./~@:0-2 \n-]{0,12}$/);
  fc.assert(
    fc.property(fc.oneof(fc.string(), almost), (text) => {
      const task = parseTaskName(text);
      if (task) expect(taskName(task.stage, task.index)).toBe(text);
      const attempt = parseAttemptName(text);
      if (attempt) expect(attemptName(attempt.task, attempt.number)).toBe(text);
      const job = parseJobName(text);
      if (job) expect(jobName(job.kind, attemptName(job.first.task, job.first.number))).toBe(text);
    }),
    cases(2000),
  );
});

test("what holds tasks is named after the first stage in it", () => {
  expect(parseTaskName("map:when:prepare/resize-2.3")).toEqual({ stage: "map:when:prepare/resize-2", index: [3] });
});

test.each([
  [""],
  [".."],
  ["../up"],
  ["/root"],
  ["up/"],
  ["a//b"],
  ["a."],
  [".1"],
  ["a.01"],
  ["a.-1"],
  ["a.1.b"],
  ["a b"],
  ["a~b"],
  ["a@1"],
  ["a\n"],
  ["1a"],
  ["ä"],
  ["a.9999999999999999"],
])("%j is not the name of a task", (text) => {
  expect(parseTaskName(text)).toBeUndefined();
  expect(() => stageOfTask(text)).toThrow(WfError);
  expect(() => attemptName(text, 1)).toThrow(WfError);
});

test.each([
  [""],
  ["a"],
  ["a@"],
  ["a@0"],
  ["a@01"],
  ["a@-1"],
  ["a@1.5"],
  ["a@1e3"],
  ["a@1\n"],
  ["a@1@2"],
  ["@1"],
  ["a/b@1"],
  ["..@1"],
  ["~@1"],
  ["a~@1"],
])("%j is not the name of an attempt", (text) => {
  expect(parseAttemptName(text)).toBeUndefined();
  expect(() => taskOfAttempt(text)).toThrow(WfError);
  expect(() => numberOfAttempt(text)).toThrow(WfError);
  expect(() => jobName("job", text)).toThrow(WfError);
  expect(parseJobName(`job-${text}`)).toBeUndefined();
});

test.each([
  ["a stage with a place in it", "a.1", [2]],
  ["a place that is no whole number", "a", [1.5]],
  ["a place below zero", "a", [-1]],
  ["a place that no number counts to", "a", [1e21]],
])("no task is named from %s", (_, stage, index) => {
  expect(() => taskName(stage, index)).toThrow("not the name of a task");
});

test.each([[0], [-1], [1.5], [Number.NaN], [1e21]])("there is no attempt number %d", (number) => {
  expect(() => attemptName("a", number)).toThrow("not the name of an attempt");
});

test.each([["train@1"], ["pilot-train@1"], ["job"], ["job-"], ["jobtrain@1"]])(
  "%j is not the name of a job",
  (text) => {
    expect(parseJobName(text)).toBeUndefined();
  },
);

test("a planned job has no try yet", () => {
  expect(plannedJobName("train.3")).toBe("job-train.3");
  expect(parseJobName(plannedJobName("train.3"))).toBeUndefined();
});

test("the queue shows the task, how many others, the run and what makes it unique", () => {
  const token = submissionToken(["/scratch/wf", "words-1-enwt", [["upper.3@1"]]]);
  expect(token).toMatch(/^[0-9a-f]{16}$/);
  expect(submissionToken(["/scratch/wf", "words-1-enwt", [["upper.3@2"]]])).not.toBe(token);
  expect(submissionName("words-1-enwt", ["upper.3", "upper.4"], "0123")).toBe("upper.3+1-words-1-enwt-0123");
  expect(submissionName("r", [`${"a".repeat(50)}.3`], "0")).toBe(`${"a".repeat(40)}-r-0`);
  expect(queueName("prepare/resize", "it's 1", "0")).toBe("prepare_resize-it_s_1-0");
});
