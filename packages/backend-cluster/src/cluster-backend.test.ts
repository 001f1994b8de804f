import { afterEach, beforeEach, expect, test } from "vitest";
import type { SubmitAnswer } from "./batch-system.ts";
import type { Submission } from "./submitting/submission.ts";
import { BackendByHand } from "./testing/backend-by-hand.ts";

let site: BackendByHand;
beforeEach(async () => {
  site = new BackendByHand();
  await site.session.open();
});
afterEach(() => site.dispose());

test("a job that is cancelled while it waits never starts, and the scheduler is told", async () => {
  const submission = await site.submitted(site.job("a@1"));
  await site.session.cancel("a@1");
  expect(await site.session.finished("a@1")).toMatchObject({ failure: { class: "cancelled" }, pid: null });
  expect(site.scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "waiting" }]);
  expect(site.isClaimed(submission, 0)).toBe(true);
  expect(site.scheduler.settledJobs).toEqual(["7_0"]);
});

test("a job that is cancelled before the scheduler was asked has its record, and cannot start any more", async () => {
  let answer: (answer: SubmitAnswer) => void = () => undefined;
  const asked = new Promise<Submission<null>>((resolve) => {
    site.scheduler.answer = (submission) => {
      resolve(submission);
      return new Promise((done) => {
        answer = done;
      });
    };
  });
  await site.session.submit(site.job("a@1"));
  const submission = await asked;
  await site.session.cancel("a@1");
  expect(await site.session.finished("a@1")).toMatchObject({ failure: { class: "cancelled" } });
  expect(site.isClaimed(submission, 0)).toBe(true);
  answer({ type: "accepted", id: "7" });
});

test("a job that runs is cancelled gently: its tasks write their own records", async () => {
  const submission = await site.submitted(site.job("a@1"));
  site.scheduler.begin(submission, 0, "a@1");
  await site.session.started("a@1");
  await site.session.cancel("a@1");
  expect(site.scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "gently" }]);
  expect(site.session.countFinished("a@1")).toBe(0);
});

test("a job that has started although nobody was told yet is cancelled gently, too", async () => {
  const submission = await site.submitted(site.job("a@1"), site.job("b@1"));
  site.scheduler.begin(submission, 1, "b@1");
  await site.session.cancel("a@1", "b@1");
  expect(site.scheduler.cancelled).toEqual([
    { jobs: ["7_0"], how: "waiting" },
    { jobs: ["7_1"], how: "gently" },
  ]);
});

test("one task of a job is cancelled alone, and its job goes on", async () => {
  await site.submitted(site.job("a@1", "b@1"));
  await site.session.cancel("a@1");
  expect(await site.session.finished("a@1")).toMatchObject({ failure: { class: "cancelled" } });
  expect(site.scheduler.cancelled).toEqual([]);
  expect(site.session.countFinished("b@1")).toBe(0);
  expect(site.scheduler.settledJobs).toEqual([]);
});

test("a job of which the scheduler knows nothing any more is lost, even if it had started", async () => {
  const submission = await site.submitted(site.job("a@1"), site.job("b@1"));
  site.scheduler.begin(submission, 1, "b@1");
  await site.session.started("b@1");
  site.scheduler.tell({ type: "vanished", job: "7_0" });
  site.scheduler.tell({ type: "vanished", job: "7_1" });
  expect((await site.session.finished("b@1")).failure?.class).toBe("lost");
  expect((await site.session.finished("a@1")).failure).toEqual({
    class: "lost",
    message: "The scheduler knows nothing of its job any more (job 7_0)",
  });
});

test("a job that would wait for ever is given up and taken out of the queue", async () => {
  await site.submitted(site.job("a@1"));
  site.scheduler.tell({ type: "hopeless", job: "7_0", message: "no such node" });
  expect((await site.session.finished("a@1")).failure).toEqual({ class: "not-started", message: "no such node" });
  while (site.scheduler.cancelled.length === 0) await new Promise(setImmediate);
  expect(site.scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "waiting" }]);
});

test("a job that was given up is taken out of the queue, though the run ends before the scheduler has answered", async () => {
  await site.submitted(site.job("a@1"));
  site.scheduler.deafTo = 1;
  site.scheduler.tell({ type: "hopeless", job: "7_0", message: "no such node" });
  await site.session.finished("a@1");
  expect(await site.session.close()).toBeNull();
  expect(site.scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "waiting" }]);
});

test("a job that started is not given up, whatever the queue said before", async () => {
  const submission = await site.submitted(site.job("a@1"), site.job("b@1"));
  site.scheduler.begin(submission, 0, "a@1");
  await site.session.started("a@1");
  site.scheduler.tell({ type: "hopeless", job: "7_0", message: "no such node" });
  site.scheduler.tell({ type: "hopeless", job: "7_1", message: "no such node" });
  await site.session.finished("b@1");
  while (site.scheduler.cancelled.length === 0) await new Promise(setImmediate);
  expect(site.session.countFinished("a@1")).toBe(0);
  expect(site.scheduler.cancelled).toEqual([{ jobs: ["7_1"], how: "waiting" }]);
});

test("a job that ended without a record has failed as the scheduler says, where and when it says", async () => {
  const submission = await site.submitted(site.job("a@1"));
  site.scheduler.begin(submission, 0, "a@1");
  await site.session.started("a@1");
  site.scheduler.end("7_0", { class: "node-failed", message: "the node went down" }, null, { peakMemoryBytes: 7000 });
  expect(await site.session.finished("a@1")).toMatchObject({
    failure: { class: "node-failed", message: "the node went down" },
    host: "n1",
    startedAt: 1_700_000_000,
    endedAt: 1_700_000_060,
    usage: { wallSeconds: 60, peakMemoryBytes: 7000 },
  });
});
