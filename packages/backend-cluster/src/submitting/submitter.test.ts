import { sampleJob, sampleTask } from "@wf/backend/testing";
import type { JobSpec } from "@wf/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SubmitAnswer } from "../batch-system.ts";
import type { Element } from "../element.ts";
import type { ElementToSettle } from "../login-node.ts";
import { Submitter } from "./submitter.ts";

const POSTPONED: SubmitAnswer = { type: "unknown" };

let life: AbortController;
let submitter: Submitter<number>;
/** What the scheduler was asked to take, by the attempts of its jobs, in order. */
let asked: string[];
let answer: (attempts: string) => SubmitAnswer;
let handed: Map<string, Element>;
let accepted: Element[];
let settled: ElementToSettle[];
let failures: unknown[];
let onNews: () => void;

beforeEach(() => {
  life = new AbortController();
  [asked, accepted, settled, failures, handed] = [[], [], [], [], new Map()];
  answer = () => ({ type: "accepted", id: String(asked.length) });
  onNews = () => undefined;
  submitter = new Submitter<number>({
    run: "r1",
    system: {
      title: "The scheduler",
      largestSubmission: 10,
      fit: ({ cpus }) => (cpus > 8 ? { type: "none", message: "too large" } : { type: "fits", request: cpus }),
      submit: async ({ jobs }) => {
        const attempts = jobs.flatMap(({ tasks }) => tasks.map(({ attempt }) => attempt)).join();
        asked.push(attempts);
        onNews();
        return answer(attempts);
      },
      jobName: (id, index) => `${id}_${index}`,
    },
    login: {
      settle: async (elements) => {
        settled.push(...elements);
        onNews();
        return [];
      },
    },
    windowMs: 1,
    firstRetryMs: 1,
    hasOthers: () => false,
    onHanded: (elements) => {
      for (const element of elements) for (const attempt of element.unfinished) handed.set(attempt, element);
    },
    onAccepted: (elements) => {
      accepted.push(...elements);
      onNews();
    },
    onFailed: (error) => failures.push(error),
    signal: life.signal,
  });
});
afterEach(() => life.abort());

const job = (attempt: string, cpus = 1): JobSpec => sampleJob([sampleTask(attempt)], { cpus });

/** Its record is there: it has failed, or was cancelled. */
const finish = (attempt: string) => handed.get(attempt)?.unfinished.delete(attempt);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise<void>((resolve) => {
      onNews = resolve;
    });
  }
}

const timesAsked = (attempts: string) => asked.filter((one) => one === attempts).length;

test("what nobody knows to be taken is submitted again, until it is", async () => {
  answer = () => (asked.length < 3 ? POSTPONED : { type: "accepted", id: "31" });
  submitter.add([job("a@1"), job("b@1")]);
  await until(() => accepted.length > 0);
  expect(asked).toEqual(Array(3).fill("a@1,b@1"));
  expect(accepted.map(({ taken, index, siblings }) => ({ taken, index, siblings }))).toEqual([
    { taken: { id: "31", job: "31_0" }, index: 0, siblings: 2 },
    { taken: { id: "31", job: "31_1" }, index: 1, siblings: 2 },
  ]);
  expect(failures).toEqual([]);
});

test("a job that was cancelled while it was postponed is not submitted any more", async () => {
  answer = () => POSTPONED;
  submitter.add([job("cancelled@1", 1), job("wanted@1", 2)]);
  await until(() => timesAsked("wanted@1") === 1);
  finish("cancelled@1");
  await until(() => timesAsked("wanted@1") === 3);
  expect(timesAsked("cancelled@1")).toBe(1);
});

test("an array of which some were cancelled while it was postponed is submitted for the others", async () => {
  answer = () => POSTPONED;
  submitter.add([job("cancelled@1"), job("wanted@1")]);
  await until(() => asked.length === 1);
  finish("cancelled@1");
  await until(() => timesAsked("cancelled@1,wanted@1") === 2);
  expect(failures).toEqual([]);
});

test("a job that is cancelled while those before it are submitted is never submitted", async () => {
  answer = (attempts) => {
    if (attempts === "first@1") finish("second@1");
    return { type: "accepted", id: "1" };
  };
  submitter.add([job("first@1", 1), job("second@1", 2), job("third@1", 3)]);
  await until(() => timesAsked("third@1") === 1);
  expect(asked).toEqual(["first@1", "third@1"]);
});

test("a job that is refused has failed with the scheduler's words, and is not submitted again", async () => {
  answer = (attempts) => (attempts === "bad@1" ? { type: "refused", words: "Invalid account" } : POSTPONED);
  submitter.add([job("bad@1", 1), job("marker@1", 2)]);
  await until(() => timesAsked("marker@1") === 3);
  expect(timesAsked("bad@1")).toBe(1);
  expect(settled).toMatchObject([
    {
      isDead: true,
      tasks: [{ attempt: "bad@1" }],
      failure: { class: "not-started", message: "The scheduler refused its job: Invalid account" },
    },
  ]);
});

test("a job that could never run on the site is not submitted, and says why", async () => {
  submitter.add([job("huge@1", 9), job("small@1")]);
  await until(() => asked.length > 0);
  expect(asked).toEqual(["small@1"]);
  expect([...handed.keys()].sort()).toEqual(["huge@1", "small@1"]);
  expect(settled).toMatchObject([
    { token: null, tasks: [{ attempt: "huge@1" }], failure: { class: "not-started", message: "too large" } },
  ]);
});

test("what waits for its window can be taken back whole, and is known until then", async () => {
  const pair = sampleJob([sampleTask("a@1"), sampleTask("b@1")]);
  submitter.add([pair, job("c@1")]);
  expect(["a@1", "b@1", "c@1", "d@1"].map((attempt) => submitter.has(attempt))).toEqual([true, true, true, false]);
  const some = new Set(["a@1", "c@1"]);
  expect(submitter.takeBack(some)).toEqual([job("c@1")]);
  expect(submitter.has("c@1")).toBe(false);
  expect(submitter.partlyReady(some)).toEqual([pair]);
  await until(() => asked.length > 0);
  expect(asked).toEqual(["a@1,b@1"]);
});
