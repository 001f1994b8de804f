import { expect, test } from "vitest";
import { AdoptedAttempts } from "./adopted-attempts.ts";
import { testRecord } from "./test-site.ts";

const running = { task: "train", attempt: "train@2", number: 2, isUnderWay: true, isInherited: true };
const noted = { task: "test", attempt: "test@1", number: 1, isUnderWay: false, isInherited: true };

const finished = (attempt: string, isProvisional = false) => {
  const record = testRecord({ task: "train", attempt }, {});
  return { type: "finished" as const, attempt, record, isProvisional, nowMs: 0 };
};

test("an end that is confirmed before the run comes to the task is final", () => {
  const adopted = new AdoptedAttempts([running]);
  adopted.keepEnd(finished("train@2", true));
  adopted.confirm("train@2");
  expect(adopted.keptEnds()).toEqual([finished("train@2")]);
  expect(adopted.take("train")).toEqual(finished("train@2"));
});

test("only what the backend has can be ended there", () => {
  expect(new AdoptedAttempts([running, noted]).underWay()).toEqual(["train@2"]);
});

test("an end that is told early is handed out once, when the run comes to the task", () => {
  const adopted = new AdoptedAttempts([running, noted]);
  const end = finished("train@2");
  adopted.keepEnd(finished("train@1"));
  adopted.keepEnd(end);
  expect(adopted.keptEnds()).toEqual([end]);
  expect(adopted.of("train")).toBe(running);
  expect([adopted.take("train"), adopted.take("train"), adopted.of("train")]).toEqual([end, undefined, undefined]);
  expect(adopted.take("test")).toBe(undefined);
  expect(adopted.underWay()).toEqual([]);
});
