import { expect, test } from "vitest";
import type { RunEvent } from "./effects.ts";
import { nextTurn } from "./next-turn.ts";
import { testRecord } from "./test-site.ts";

const event = (type: "finished" | "revoked", attempt: string): RunEvent => {
  const record = testRecord({ attempt }, { failure: "exit" });
  return { type, attempt, record, nowMs: 0 };
};
const wake: RunEvent = { type: "wake", nowMs: 0 };
const culprit = event("finished", "culprit@1");
const revoked = event("revoked", "done@1");
const other = event("revoked", "other@1");
const unreached = event("finished", "next@1");

test.each<[string, RunEvent[], RunEvent[], RunEvent[]]>([
  ["nothing is revoked", [wake, culprit], [wake, culprit], []],
  ["the culprit comes before what is revoked", [culprit, revoked, unreached], [culprit], [revoked, unreached]],
  ["revocations come first", [revoked, other, unreached], [revoked, other, unreached], []],
  [
    "a success comes together with its revocation",
    [wake, event("finished", "done@1"), revoked],
    [wake, event("finished", "done@1"), revoked],
    [],
  ],
  ["there is nothing", [], [], []],
])("%s", (_what, events, now, later) => {
  expect(nextTurn(events)).toEqual({ now, later });
});
