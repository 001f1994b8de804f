import { sampleJob, sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import { bySubmission, elementOf, toSettle } from "./element.ts";
import { unknownEnding } from "./job-ending.ts";

const failure = { class: "lost", message: "gone" } as const;
const element = () => elementOf(sampleJob([sampleTask("a@1"), sampleTask("b@1")]), "t1", 3, 9);

test("only what has not finished is settled", () => {
  const half = element();
  half.unfinished.delete("a@1");
  expect(toSettle(half, failure, null).tasks).toEqual([{ task: "b", attempt: "b@1" }]);
});

test("where and when a job was is told as far as it is known, and that it is over even if nothing else is", () => {
  const unknown = { host: null, startedAt: null, endedAt: null };
  expect(toSettle(element(), failure, null)).toMatchObject({ ...unknown, isDead: false });
  expect(toSettle(element(), failure, unknownEnding(failure))).toMatchObject({ ...unknown, isDead: true });
  const traces = { nodes: "n1", startedAt: 100, endedAt: 160, peakMemoryBytes: 7 };
  expect(toSettle(element(), failure, traces)).toMatchObject({
    host: "n1",
    startedAt: 100,
    endedAt: 160,
    isDead: true,
  });
  expect(toSettle(element(), failure, { ...traces, nodes: "" })).toMatchObject({ host: null });
});

test("the memory of a job is that of its task, where it has but one", () => {
  const alone = elementOf(sampleJob([sampleTask("a@1")]), "t1", 0, 1);
  const seen = { ...unknownEnding(failure), peakMemoryBytes: 7 };
  expect(toSettle(alone, failure, seen).peakMemoryBytes).toBe(7);
  expect(toSettle(element(), failure, seen).peakMemoryBytes).toBeNull();
});

test("elements are told apart by their submission, and those that the scheduler has not got are left out", () => {
  const of = (id: string) => ({ ...element(), taken: { id, job: `${id}_3` } });
  const [first, second, third] = [of("7"), of("8"), of("7")];
  expect(bySubmission([first, element(), second, third])).toEqual(
    new Map([
      ["7", [first, third]],
      ["8", [second]],
    ]),
  );
});
