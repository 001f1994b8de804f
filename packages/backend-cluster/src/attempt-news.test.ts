import type { BackendEvent } from "@wf/backend";
import { unmeasuredRecord } from "@wf/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AttemptNews } from "./attempt-news.ts";
import { unsubmittedElement } from "./element.ts";
import { HandedOver } from "./handed-over.ts";
import { type JobEnding, unknownEnding } from "./job-ending.ts";
import { BackendByHand } from "./testing/backend-by-hand.ts";

let site: BackendByHand;
beforeEach(async () => {
  site = new BackendByHand();
  await site.session.open();
});
afterEach(() => site.dispose());

test("an attempt that was told to end is told of when the scheduler has said why", async () => {
  await site.submittedWithSample(site.job("a@1"), site.job("b@1"));
  site.leaveRecord("a@1", { failure: { class: "interrupted", message: "told to end" } });
  site.leaveRecord("b@1", { failure: { class: "interrupted", message: "told to end" } });
  while (site.scheduler.hurries < 2) await new Promise(setImmediate);
  expect(site.session.countFinished("a@1") + site.session.countFinished("b@1")).toBe(0);
  const lost = { class: "lost", message: "no record" } as const;
  site.scheduler.end("7_1", lost, { class: "preempted", message: "it had to make room" });
  site.scheduler.end("7_2", lost, null);
  expect((await site.session.finished("a@1")).failure).toEqual({ class: "preempted", message: "it had to make room" });
  expect((await site.session.finished("b@1")).failure).toEqual({ class: "interrupted", message: "told to end" });
});

const LOST = { class: "lost", message: "no record" } as const;
const CANCELLED = { class: "cancelled", message: "somebody cancelled it" } as const;
const ENDED_AT = 1_700_000_060;

async function withSuccess(endedAt: number): Promise<void> {
  await site.submittedWithSample(site.job("a@1"));
  site.leaveSuccess("a@1", endedAt);
  expect(await site.session.finished("a@1")).toMatchObject({ state: "succeeded" });
  expect(site.session.events.at(-1)).toMatchObject({ type: "finished", isProvisional: true });
}

test("a success counts when its job has ended by itself", async () => {
  await withSuccess(ENDED_AT - 1);
  expect(site.scheduler.settledJobs).toContain("7_1");
  site.scheduler.end("7_1", LOST, null, { isByItself: true });
  expect(await site.session.settled("a@1")).toMatchObject({ state: "succeeded" });
  expect(site.session.events.at(-1)).toEqual({ type: "confirmed", attempts: ["a@1"] });
});

test.each([
  ["at its end", ENDED_AT - 1, "failed"],
  ["long before its end", ENDED_AT - 30, "succeeded"],
])("of a job that was ended from outside, a success %s has %3$s", async (_when, endedAt, state) => {
  await withSuccess(endedAt);
  site.scheduler.end("7_1", LOST, CANCELLED);
  const record = await site.session.settled("a@1");
  expect(record).toMatchObject({ state, failure: state === "failed" ? CANCELLED : null });
});

test("what was never seen to its end is no word against a record", async () => {
  await withSuccess(ENDED_AT);
  site.scheduler.tell({ type: "vanished", job: "7_1" });
  expect(await site.session.settled("a@1")).toMatchObject({ state: "succeeded" });
});

test("a job of which nobody knows the end, but that says that it was told to end, was ended", async () => {
  const submission = await site.submittedWithSample(site.job("a@1"));
  site.leaveSuccess("a@1", ENDED_AT);
  await site.session.finished("a@1");
  site.leaveOutput(submission, 1, `told to end at ${ENDED_AT + 1}\n`);
  site.scheduler.tell({ type: "vanished", job: "7_1" });
  expect(await site.session.settled("a@1")).toMatchObject({ state: "failed", failure: { class: "interrupted" } });
});

test("a success that is heard of after the scheduler forgot its job counts", async () => {
  await site.submittedWithSample(site.job("a@1"));
  site.leaveSuccess("a@1", ENDED_AT);
  site.scheduler.tell({ type: "vanished", job: "7_1" });
  expect(await site.session.settled("a@1")).toMatchObject({ state: "succeeded" });
});

test("a record that comes after the end of its job is judged by it, too", async () => {
  const submission = await site.submittedWithSample(site.job("a@1", "b@1"));
  site.scheduler.begin(submission, 1, "a@1");
  site.leaveSuccess("a@1", ENDED_AT);
  await site.session.finished("a@1");
  site.scheduler.end("7_1", LOST, CANCELLED);
  expect((await site.session.settled("a@1")).state).toBe("failed");
  expect((await site.session.finished("b@1")).failure).toEqual(CANCELLED);
});

test("the culprit of a job that is killed is told first, and what was never started has failed nothing", async () => {
  const submission = await site.submitted(site.job("a@1", "b@1", "c@1"));
  site.scheduler.begin(submission, 0, "b@1");
  await site.session.started("b@1");
  const outOfMemory = { class: "out-of-memory", message: "ended for its memory" } as const;
  site.scheduler.end("7_0", outOfMemory);
  for (const attempt of ["a@1", "c@1"]) {
    expect((await site.session.finished(attempt)).failure).toEqual({
      class: "not-reached",
      message: "its job ended before its turn came: ended for its memory",
    });
  }
  expect((await site.session.finished("b@1")).failure).toEqual(outOfMemory);
  expect(site.told("a@1", "b@1", "c@1")[0]).toBe("b@1");
});

test("a success that has to be revoked is told after the culprit of its job, too", async () => {
  const submission = await site.submittedWithSample(site.job("a@1", "b@1", "c@1"));
  site.leaveSuccess("a@1", ENDED_AT);
  await site.session.finished("a@1");
  site.scheduler.begin(submission, 1, "b@1");
  await site.session.started("b@1");
  const outOfMemory = { class: "out-of-memory", message: "ended for its memory" } as const;
  site.scheduler.end("7_1", outOfMemory, outOfMemory);
  await site.session.finished("c@1");
  const story = site.session.events.flatMap((event) =>
    event.type === "finished" || event.type === "revoked" ? `${event.attempt} ${event.type}` : [],
  );
  expect(story.slice(1)).toEqual(["a@1 finished", "b@1 finished", "a@1 revoked", "c@1 finished"]);
});

test("what a launcher that was told to end had not come to is told after the culprit, when it is known why", async () => {
  const submission = await site.submittedWithSample(site.job("a@1", "b@1"));
  site.scheduler.begin(submission, 1, "a@1");
  site.leaveRecord("b@1", { failure: { class: "not-reached", message: "told to end before" } });
  site.leaveRecord("a@1", { failure: { class: "interrupted", message: "told to end" } });
  while (site.scheduler.hurries < 1) await new Promise(setImmediate);
  expect(site.told("a@1", "b@1")).toEqual([]);
  site.scheduler.end("7_1", LOST, { class: "time-limit", message: "its time was up" });
  expect((await site.session.finished("a@1")).failure).toEqual({ class: "time-limit", message: "its time was up" });
  expect((await site.session.finished("b@1")).failure).toEqual({
    class: "not-reached",
    message: "told to end before: its time was up",
  });
  expect(site.told("a@1", "b@1")).toEqual(["a@1", "b@1"]);
});

test("who cancels a job means all of its tasks", async () => {
  const submission = await site.submittedWithSample(site.job("a@1", "b@1"));
  site.scheduler.begin(submission, 1, "a@1");
  site.leaveRecord("b@1", { failure: { class: "not-reached", message: "told to end before" } });
  site.leaveRecord("a@1", { failure: { class: "interrupted", message: "told to end" } });
  site.scheduler.end("7_1", CANCELLED, CANCELLED);
  expect((await site.session.finished("a@1")).failure).toEqual(CANCELLED);
  expect((await site.session.finished("b@1")).failure).toEqual(CANCELLED);
});

test("what a job had not come to that the scheduler forgot has failed nothing", async () => {
  const submission = await site.submitted(site.job("a@1", "b@1"));
  site.scheduler.begin(submission, 0, "a@1");
  await site.session.started("a@1");
  site.scheduler.tell({ type: "vanished", job: "7_0" });
  expect((await site.session.finished("b@1")).failure?.class).toBe("not-reached");
  expect(site.told("a@1", "b@1")).toEqual(["a@1", "b@1"]);
});

test.each([
  ["before", "failed"],
  ["long before", "succeeded"],
])("a success %s the end of its pilot is judged by that, though it is heard of later: %s", (when, state) => {
  const handed = new HandedOver();
  handed.add([unsubmittedElement(site.job("a@1"))]);
  const events: BackendEvent[] = [];
  const news = new AttemptNews({
    ...{ run: "r1", handed, emit: (event) => events.push(event) },
    system: { hurry: () => undefined, settled: () => undefined },
    pool: () => ({ pilotOf: () => "pilot-1", finished: () => undefined }),
  });
  const ending: JobEnding = { ...unknownEnding(LOST), endedAt: ENDED_AT, interruption: () => CANCELLED };
  news.pilotOver("pilot-1", [], { why: null, ending, printed: "" });
  const times = { startedAt: 1, endedAt: when === "before" ? ENDED_AT - 1 : ENDED_AT - 30 };
  const like = unmeasuredRecord({ run: "r1", job: "j", task: "a", attempt: "a@1", host: "c1", ...times }, LOST);
  news.hearRecord("a@1", { document: { ...like, state: "succeeded", failure: null, exitCode: 0 } });
  expect(events[0]).toMatchObject({ type: "finished", isProvisional: true });
  expect(events[1]).toMatchObject(
    state === "failed"
      ? { type: "revoked", record: { state, failure: CANCELLED } }
      : { type: "confirmed", attempts: ["a@1"] },
  );
});

const HASH = "0".repeat(64);

test.each([
  ["no JSON", "not JSON"],
  ["[]", "expected object"],
  ["{}", "version"],
  [
    "name",
    "outputs.m.name: not the name of a file",
    { outputs: { m: { kind: "file", hash: HASH, size: 1, name: "m/../../.bashrc" } } },
  ],
  [
    "hash",
    "outputs.m.hash: not a content hash",
    { outputs: { m: { kind: "file", hash: "../.ssh/id_rsa", size: 1, name: "m" } } },
  ],
  [
    "picture",
    "pictures.0.file.name",
    { pictures: [{ name: "p", step: null, path: "p", file: { kind: "file", hash: HASH, size: 1, name: "../p" } }] },
  ],
  ["attempt", 'attempt: "b@1" instead of "a@1"', { attempt: "b@1" }],
  ["task", 'task: "b" instead of "a"', { task: "b" }],
  ["run", 'run: "r2" instead of "r1"', { run: "r2" }],
  ["lines", "version", '{\n"record":\n{}\n}'],
])(
  "a task that writes its own record, wrong in its %s, has failed, and the site goes on",
  async (what, says, lie?: unknown) => {
    await site.submittedWithSample(site.job("a@1"), site.job("c@1"));
    if (lie === undefined || typeof lie === "string") site.leaveText("a@1", lie ?? what);
    else site.leaveRecord("a@1", { state: "succeeded", failure: null, ...(lie as object) });
    const { failure, outputs } = await site.session.finished("a@1");
    expect(failure?.class).toBe("output-invalid");
    expect(failure?.message).toContain(says);
    expect(outputs).toEqual({});
    site.leaveSuccess("c@1", ENDED_AT);
    expect(await site.session.finished("c@1")).toMatchObject({ state: "succeeded" });
  },
);
