import { expect, test } from "vitest";
import { parseRows } from "../parsing/parse-rows.ts";
import { recording } from "../testing/recording.ts";
import { endOfRow } from "./end-of-row.ts";

const end = (name: string) => endOfRow((parseRows(recording(`${name}.condor_history`)) ?? [])[0] as never);

test.each([
  ["used", { how: "terminated", exitCode: 0, signal: null }],
  ["failed", { how: "terminated", exitCode: 5, signal: null }],
  ["signal", { how: "terminated", exitCode: null, signal: 9 }],
  ["removed-by-hand", { how: "removed", reason: "via condor_rm (by user condortest)" }],
])("what the history says of %s", (name, expected) => {
  expect(end(name)).toMatchObject({ ...expected, startedAt: expect.any(Number), endedAt: expect.any(Number) });
});

test("a job that never started has no start", () => {
  expect(end("removed-waiting")).toMatchObject({ how: "removed", startedAt: null });
});
