import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContractSession } from "@wf/backend/contract";
import { sampleJob, sampleTask } from "@wf/backend/testing";
import { localTransport } from "@wf/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SubmitAnswer } from "./batch-system.ts";
import { ClusterBackend } from "./cluster-backend.ts";
import { SchedulerCommands } from "./commands/scheduler-commands.ts";
import { LoginNode } from "./login-node.ts";
import type { Submission } from "./submitting/submission.ts";
import { SchedulerByHand } from "./testing/scheduler-by-hand.ts";

let storage: string;
let scheduler: SchedulerByHand;
let session: ContractSession;

beforeEach(async () => {
  storage = mkdtempSync(join(tmpdir(), "wf-cluster-"));
  scheduler = new SchedulerByHand(join(storage, "runs/r1"));
  session = new ContractSession(newBackend());
  await session.open();
});
afterEach(async () => {
  await session.close();
  rmSync(storage, { recursive: true });
});

/** With the real launcher on a real storage. */
function newBackend(): ClusterBackend<null> {
  const transport = localTransport();
  const login = new LoginNode({ run: "r1", scheduler: "slurm", storage, transport, python: "python3" });
  return new ClusterBackend({
    ...{ name: "by-hand", run: "r1", login, system: scheduler, windowMs: 1 },
    capabilities: { capacity: null, maxInFlight: 100, arrays: true, fileTransfer: false, liveMetrics: false },
    commands: new SchedulerCommands((argv, signal) => login.run(argv, signal), { commands: 100, per: 1 }),
  });
}

const job = (...attempts: readonly string[]) =>
  sampleJob(
    attempts.map((attempt) => sampleTask(attempt)),
    { storage },
  );

/** Submits jobs as one, and returns what the scheduler has of them. */
async function submitted(...jobs: readonly ReturnType<typeof job>[]): Promise<Submission<null>> {
  const taken = new Promise<Submission<null>>((resolve) => {
    scheduler.answer = (submission) => {
      scheduler.makeFolderOf(submission);
      resolve(submission);
      return { type: "accepted", id: "7" };
    };
  });
  await session.submit(...jobs);
  const submission = await taken;
  for (const { tasks } of jobs) for (const { attempt } of tasks) await queued(attempt);
  return submission;
}

async function queued(attempt: string): Promise<void> {
  const isQueued = () =>
    session.events.some((event) => event.type === "queued" && event.attempts.some((one) => one.attempt === attempt));
  while (!isQueued()) await new Promise(setImmediate);
}

test("a job that is cancelled while it waits never starts, and the scheduler is told", async () => {
  const submission = await submitted(job("a@1"));
  await session.cancel("a@1");
  expect(await session.finished("a@1")).toMatchObject({ failure: { class: "cancelled" }, pid: null });
  expect(scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "waiting" }]);
  expect(existsSync(join(storage, "runs/r1/submissions", submission.token, "started/0"))).toBe(true);
  expect(scheduler.settledJobs).toEqual(["7_0"]);
});

test("a job that is cancelled before the scheduler was asked has its record, and cannot start any more", async () => {
  let answer: (answer: SubmitAnswer) => void = () => undefined;
  const asked = new Promise<Submission<null>>((resolve) => {
    scheduler.answer = (submission) => {
      resolve(submission);
      return new Promise((done) => {
        answer = done;
      });
    };
  });
  await session.submit(job("a@1"));
  const { token } = await asked;
  await session.cancel("a@1");
  expect(await session.finished("a@1")).toMatchObject({ failure: { class: "cancelled" } });
  expect(existsSync(join(storage, "runs/r1/submissions", token, "started/0"))).toBe(true);
  answer({ type: "accepted", id: "7" });
});

test("a job that runs is cancelled gently: its tasks write their own records", async () => {
  const submission = await submitted(job("a@1"));
  scheduler.begin(submission, 0, "a@1");
  await session.started("a@1");
  await session.cancel("a@1");
  expect(scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "gently" }]);
  expect(session.countFinished("a@1")).toBe(0);
});

test("a job that has started although nobody was told yet is cancelled gently, too", async () => {
  const submission = await submitted(job("a@1"), job("b@1"));
  scheduler.begin(submission, 1, "b@1");
  await session.cancel("a@1", "b@1");
  expect(scheduler.cancelled).toEqual([
    { jobs: ["7_0"], how: "waiting" },
    { jobs: ["7_1"], how: "gently" },
  ]);
});

test("one task of a job is cancelled alone, and its job goes on", async () => {
  await submitted(job("a@1", "b@1"));
  await session.cancel("a@1");
  expect(await session.finished("a@1")).toMatchObject({ failure: { class: "cancelled" } });
  expect(scheduler.cancelled).toEqual([]);
  expect(session.countFinished("b@1")).toBe(0);
  expect(scheduler.settledJobs).toEqual([]);
});

test("a job of which the scheduler knows nothing any more is lost, even if it had started", async () => {
  const submission = await submitted(job("a@1"), job("b@1"));
  scheduler.begin(submission, 1, "b@1");
  await session.started("b@1");
  scheduler.tell({ type: "vanished", job: "7_0" });
  scheduler.tell({ type: "vanished", job: "7_1" });
  expect((await session.finished("b@1")).failure?.class).toBe("lost");
  expect((await session.finished("a@1")).failure).toEqual({
    class: "lost",
    message: "The scheduler knows nothing of its job any more (job 7_0)",
  });
});

test("a job that would wait for ever is given up and taken out of the queue", async () => {
  await submitted(job("a@1"));
  scheduler.tell({ type: "hopeless", job: "7_0", message: "no such node" });
  expect((await session.finished("a@1")).failure).toEqual({ class: "not-started", message: "no such node" });
  while (scheduler.cancelled.length === 0) await new Promise(setImmediate);
  expect(scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "waiting" }]);
});

test("a job that was given up is taken out of the queue, though the run ends before the scheduler has answered", async () => {
  await submitted(job("a@1"));
  scheduler.deafTo = 1;
  scheduler.tell({ type: "hopeless", job: "7_0", message: "no such node" });
  await session.finished("a@1");
  expect(await session.close()).toBeNull();
  expect(scheduler.cancelled).toEqual([{ jobs: ["7_0"], how: "waiting" }]);
});

test("a job that started is not given up, whatever the queue said before", async () => {
  const submission = await submitted(job("a@1"), job("b@1"));
  scheduler.begin(submission, 0, "a@1");
  await session.started("a@1");
  scheduler.tell({ type: "hopeless", job: "7_0", message: "no such node" });
  scheduler.tell({ type: "hopeless", job: "7_1", message: "no such node" });
  await session.finished("b@1");
  while (scheduler.cancelled.length === 0) await new Promise(setImmediate);
  expect(session.countFinished("a@1")).toBe(0);
  expect(scheduler.cancelled).toEqual([{ jobs: ["7_1"], how: "waiting" }]);
});

test("a job that ended without a record has failed as the scheduler says, where and when it says", async () => {
  const submission = await submitted(job("a@1"));
  scheduler.begin(submission, 0, "a@1");
  await session.started("a@1");
  scheduler.end("7_0", { class: "node-failed", message: "the node went down" });
  expect(await session.finished("a@1")).toMatchObject({
    failure: { class: "node-failed", message: "the node went down" },
    host: "n1",
    startedAt: 1_700_000_000,
    endedAt: 1_700_000_060,
  });
});

const named = (attempt: string) => ({ attempt, task: attempt.replace(/@\d+$/, "") });

/** As a launcher does whose job was told to end; apart from that, the record is like one that is there. */
function leaveRecord(attempt: string, failure: { class: string; message: string }): void {
  const folder = join(storage, "runs/r1/records");
  const like = JSON.parse(readFileSync(join(folder, "like@1.json"), "utf8"));
  writeFileSync(join(folder, "draft"), JSON.stringify({ ...like, ...named(attempt), failure }));
  renameSync(join(folder, "draft"), join(folder, `${attempt}.json`));
}

test("an attempt that was told to end is told of when the scheduler has said why", async () => {
  await submitted(job("like@1"), job("a@1"), job("b@1"));
  await session.cancel("like@1");
  await session.finished("like@1");
  leaveRecord("a@1", { class: "interrupted", message: "told to end" });
  leaveRecord("b@1", { class: "interrupted", message: "told to end" });
  while (scheduler.hurries < 2) await new Promise(setImmediate);
  expect(session.countFinished("a@1") + session.countFinished("b@1")).toBe(0);
  const lost = { class: "lost", message: "no record" } as const;
  scheduler.end("7_1", lost, { class: "preempted", message: "it had to make room" });
  scheduler.end("7_2", lost, null);
  expect((await session.finished("a@1")).failure).toEqual({ class: "preempted", message: "it had to make room" });
  expect((await session.finished("b@1")).failure).toEqual({ class: "interrupted", message: "told to end" });
});

/** Of a task whose command ended at a time. */
function leaveSuccess(attempt: string, endedAt: number): void {
  const folder = join(storage, "runs/r1/records");
  const like = JSON.parse(readFileSync(join(folder, "like@1.json"), "utf8"));
  const success = { ...like, ...named(attempt), state: "succeeded", failure: null, exitCode: 0, endedAt };
  writeFileSync(join(folder, "draft"), JSON.stringify(success));
  renameSync(join(folder, "draft"), join(folder, `${attempt}.json`));
}

const LOST = { class: "lost", message: "no record" } as const;
const CANCELLED = { class: "cancelled", message: "somebody cancelled it" } as const;
const ENDED_AT = 1_700_000_060;

async function withSuccess(endedAt: number): Promise<void> {
  await submitted(job("like@1"), job("a@1"));
  await session.cancel("like@1");
  await session.finished("like@1");
  leaveSuccess("a@1", endedAt);
  expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
  expect(session.events.at(-1)).toMatchObject({ type: "finished", isProvisional: true });
}

test("a success counts when its job has ended by itself", async () => {
  await withSuccess(ENDED_AT - 1);
  expect(scheduler.settledJobs).toContain("7_1");
  scheduler.end("7_1", LOST, null, { isByItself: true });
  expect(await session.settled("a@1")).toMatchObject({ state: "succeeded" });
  expect(session.events.at(-1)).toEqual({ type: "confirmed", attempts: ["a@1"] });
});

test.each([
  ["at its end", ENDED_AT - 1, "failed"],
  ["long before its end", ENDED_AT - 30, "succeeded"],
])("of a job that was ended from outside, a success %s has %3$s", async (_when, endedAt, state) => {
  await withSuccess(endedAt);
  scheduler.end("7_1", LOST, CANCELLED);
  const record = await session.settled("a@1");
  expect(record).toMatchObject({ state, failure: state === "failed" ? CANCELLED : null });
});

test("what was never seen to its end is no word against a record", async () => {
  await withSuccess(ENDED_AT);
  scheduler.tell({ type: "vanished", job: "7_1" });
  expect(await session.settled("a@1")).toMatchObject({ state: "succeeded" });
});

test("a record that comes after the end of its job is judged by it, too", async () => {
  const submission = await submitted(job("like@1"), job("a@1", "b@1"));
  await session.cancel("like@1");
  await session.finished("like@1");
  scheduler.begin(submission, 1, "a@1");
  leaveSuccess("a@1", ENDED_AT);
  await session.finished("a@1");
  scheduler.end("7_1", LOST, CANCELLED);
  expect((await session.settled("a@1")).state).toBe("failed");
  expect((await session.finished("b@1")).failure).toEqual(CANCELLED);
});

const told = (...attempts: readonly string[]) =>
  session.events.flatMap((event) =>
    event.type === "finished" && attempts.includes(event.attempt) ? event.attempt : [],
  );

test("the culprit of a job that is killed is told first, and what was never started has failed nothing", async () => {
  const submission = await submitted(job("a@1", "b@1", "c@1"));
  scheduler.begin(submission, 0, "b@1");
  await session.started("b@1");
  const outOfMemory = { class: "out-of-memory", message: "ended for its memory" } as const;
  scheduler.end("7_0", outOfMemory);
  for (const attempt of ["a@1", "c@1"]) {
    expect((await session.finished(attempt)).failure).toEqual({
      class: "not-reached",
      message: "its job ended before its turn came: ended for its memory",
    });
  }
  expect((await session.finished("b@1")).failure).toEqual(outOfMemory);
  expect(told("a@1", "b@1", "c@1")[0]).toBe("b@1");
});

test("a success that has to be revoked is told after the culprit of its job, too", async () => {
  const submission = await submitted(job("like@1"), job("a@1", "b@1", "c@1"));
  await session.cancel("like@1");
  await session.finished("like@1");
  leaveSuccess("a@1", ENDED_AT);
  await session.finished("a@1");
  scheduler.begin(submission, 1, "b@1");
  await session.started("b@1");
  const outOfMemory = { class: "out-of-memory", message: "ended for its memory" } as const;
  scheduler.end("7_1", outOfMemory, outOfMemory);
  await session.finished("c@1");
  const story = session.events.flatMap((event) =>
    event.type === "finished" || event.type === "revoked" ? `${event.attempt} ${event.type}` : [],
  );
  expect(story.slice(1)).toEqual(["a@1 finished", "b@1 finished", "a@1 revoked", "c@1 finished"]);
});

test("what a launcher that was told to end had not come to is told after the culprit, when it is known why", async () => {
  const submission = await submitted(job("like@1"), job("a@1", "b@1"));
  await session.cancel("like@1");
  await session.finished("like@1");
  scheduler.begin(submission, 1, "a@1");
  leaveRecord("b@1", { class: "not-reached", message: "told to end before" });
  leaveRecord("a@1", { class: "interrupted", message: "told to end" });
  while (scheduler.hurries < 1) await new Promise(setImmediate);
  expect(told("a@1", "b@1")).toEqual([]);
  scheduler.end("7_1", LOST, { class: "time-limit", message: "its time was up" });
  expect((await session.finished("a@1")).failure).toEqual({ class: "time-limit", message: "its time was up" });
  expect((await session.finished("b@1")).failure).toEqual({
    class: "not-reached",
    message: "told to end before: its time was up",
  });
  expect(told("a@1", "b@1")).toEqual(["a@1", "b@1"]);
});

test("who cancels a job means all of its tasks", async () => {
  const submission = await submitted(job("like@1"), job("a@1", "b@1"));
  await session.cancel("like@1");
  await session.finished("like@1");
  scheduler.begin(submission, 1, "a@1");
  leaveRecord("b@1", { class: "not-reached", message: "told to end before" });
  leaveRecord("a@1", { class: "interrupted", message: "told to end" });
  scheduler.end("7_1", CANCELLED, CANCELLED);
  expect((await session.finished("a@1")).failure).toEqual(CANCELLED);
  expect((await session.finished("b@1")).failure).toEqual(CANCELLED);
});

test("what a job had not come to that the scheduler forgot has failed nothing", async () => {
  const submission = await submitted(job("a@1", "b@1"));
  scheduler.begin(submission, 0, "a@1");
  await session.started("a@1");
  scheduler.tell({ type: "vanished", job: "7_0" });
  expect((await session.finished("b@1")).failure?.class).toBe("not-reached");
  expect(told("a@1", "b@1")).toEqual(["a@1", "b@1"]);
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
    await submitted(job("like@1"), job("a@1"), job("c@1"));
    await session.cancel("like@1");
    await session.finished("like@1");
    const folder = join(storage, "runs/r1/records");
    const like = JSON.parse(readFileSync(join(folder, "like@1.json"), "utf8"));
    const changed = { ...like, ...named("a@1"), state: "succeeded", failure: null, ...(lie as object) };
    writeFileSync(
      join(folder, "draft"),
      lie === undefined ? what : typeof lie === "string" ? lie : JSON.stringify(changed),
    );
    renameSync(join(folder, "draft"), join(folder, "a@1.json"));
    const { failure, outputs } = await session.finished("a@1");
    expect(failure?.class).toBe("output-invalid");
    expect(failure?.message).toContain(says);
    expect(outputs).toEqual({});
    leaveSuccess("c@1", ENDED_AT);
    expect(await session.finished("c@1")).toMatchObject({ state: "succeeded" });
  },
);
