import { type Json, MOST_NESTED, unmeasuredRecord } from "@wf/protocol";
import { expect, it } from "vitest";
import { believedRecord } from "./believed-record.ts";

const ATTEMPT = { run: "r", job: "j", task: "t", attempt: "t@1" } as const;
const HASH = "ab".repeat(32);

/** What lies on the storage: a success with this output. */
function told(output: unknown): unknown {
  const about = { ...ATTEMPT, host: "n1", startedAt: 1, endedAt: 2 };
  const record = { ...unmeasuredRecord(about, { class: "exit", message: "no" }), state: "succeeded", failure: null };
  return { ...record, outputs: { o: output } };
}

function nested(levels: number, around: (inner: unknown) => unknown, core: unknown): unknown {
  let value = core;
  for (let level = 0; level < levels; level += 1) value = around(value);
  return value;
}

const asJson = (levels: number) => ({
  kind: "json",
  hash: HASH,
  size: 2,
  value: nested(levels, (inner) => [inner], 1) as Json,
});
const asList = (levels: number) =>
  nested(levels, (inner) => ({ kind: "list", items: [inner] }), { kind: "file", hash: HASH, size: 1, name: "a" });

it("believes a value that is nested as deep as one may be", () => {
  const record = believedRecord(ATTEMPT, { document: told(asJson(MOST_NESTED)) }, 3);
  expect(record).toMatchObject({ state: "succeeded", outputs: { o: { kind: "json" } } });
  expect(believedRecord(ATTEMPT, { document: told(asList(3)) }, 3).state).toBe("succeeded");
});

it.each([
  ["a value", asJson],
  ["lists of lists", asList],
])("refuses %s that is nested without end, as a failure of the task", (_, output) => {
  for (const levels of [MOST_NESTED + 20, 5_000, 200_000]) {
    expect(believedRecord(ATTEMPT, { document: told(output(levels)) }, 3)).toMatchObject({
      state: "failed",
      failure: { class: "output-invalid", message: expect.stringContaining("nested too deeply") },
    });
  }
});
