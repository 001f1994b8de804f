import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { AttemptFiles } from "@wf/run";
import { ended, finished, ready, StoreFixture, started, step, submitted } from "@wf/run/testing";
import { until } from "@wf/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { logs } from "./logs.ts";

let fixture: StoreFixture;
let run: string;
const task = step("train");
const failure = { class: "exit", message: "no", exitCode: 1 } as const;
beforeEach(() => {
  fixture = new StoreFixture();
  run = fixture.begin({ stages: ["train"] });
  fixture.store.acquireLease(run);
  fixture.note(run, [ready(task), ...submitted(task), started(task, 1)]);
});
afterEach(() => fixture.close());

function print(attempt: string, stdout: string, stderr: string): void {
  const files = new AttemptFiles(fixture.folder, run, attempt);
  mkdirSync(files.folder, { recursive: true });
  writeFileSync(files.stream("stdout"), stdout);
  writeFileSync(files.stream("stderr"), stderr);
}

it("prints one stream as it is, and both under headings", async () => {
  print("train@1", "epoch 1\n", "\u001b[31mwarning\u001b[0m\n");
  const one = new CapturedScreen();
  await logs(run, "train", { ...fixture.options, stderr: true }, one);
  expect(one.text).toBe("\u001b[31mwarning\u001b[0m\n");
  const both = new CapturedScreen();
  await logs(undefined, "train", fixture.options, both);
  expect(both.text).toBe("── stdout ──\nepoch 1\n── stderr ──\n\u001b[31mwarning\u001b[0m\n");
});

it("prints what one rank of a distributed task wrote", async () => {
  print("train@1", "of the first\n", "");
  const files = new AttemptFiles(fixture.folder, run, "train@1");
  mkdirSync(`${files.folder}/ranks`);
  writeFileSync(files.stream("stdout", 1), "of the second\n");
  const second = new CapturedScreen();
  await logs(run, "train", { ...fixture.options, rank: 1 }, second);
  expect(second.text).toBe("of the second\n");
  const notes = new CapturedScreen();
  await logs(run, "train", { ...fixture.options, rank: 2 }, second, notes);
  expect(notes.text).toContain("rank 2 of attempt 1 of train printed nothing");
});

it("prints the last attempt unless another is named", async () => {
  print("train@1", "first\n", "");
  print("train@2", "second\n", "");
  fixture.note(run, [finished(task, { run, failure }), ...submitted(task, 2), started(task, 2, 2)]);
  const last = new CapturedScreen();
  await logs(run, "train", fixture.options, last);
  expect(last.text).toBe("second\n");
  const first = new CapturedScreen();
  await logs(run, "train", { ...fixture.options, attempt: 1 }, first);
  expect(first.text).toBe("first\n");
  await expect(logs(run, "train", { ...fixture.options, attempt: 3 }, first)).rejects.toMatchObject({
    code: "WF_TASK_NOT_FOUND",
    hint: "its attempts are 1, 2",
  });
});

it("gives one object a line as JSON", async () => {
  print("train@1", "a\nb", "");
  const screen = new CapturedScreen();
  await logs(run, "train", { ...fixture.options, json: true }, screen);
  expect(screen.json).toEqual([
    { attempt: "train@1", stream: "stdout", line: "a" },
    { attempt: "train@1", stream: "stdout", line: "b" },
  ]);
});

it("shows what a cached task printed where it ran, and says so on stderr", async () => {
  print("train@1", "epoch 1\n", "");
  const later = fixture.begin({ stages: ["train"] });
  fixture.note(later, [ended(task, { state: "cached", cachedFrom: { run, task: "train" } })]);
  const [screen, notes] = [new CapturedScreen(), new CapturedScreen()];
  await logs(later, "train", fixture.options, screen, notes);
  expect(screen.text).toBe("epoch 1\n");
  expect(notes.text).toBe(`train was cached: this is what ${run} train printed\n`);
});

it("says so when nothing was printed or nothing was tried", async () => {
  const [screen, notes] = [new CapturedScreen(), new CapturedScreen()];
  await logs(run, "train", fixture.options, screen, notes);
  expect([screen.text, notes.text]).toEqual(["", "attempt 1 of train printed nothing\n"]);
  fixture.note(run, [ready(step("train", 7))]);
  await expect(logs(run, "train.7", fixture.options, screen)).rejects.toMatchObject({ code: "WF_TASK_NOT_FOUND" });
});

it("follows a task through its attempts until it has ended", async () => {
  print("train@1", "one\n", "");
  const [screen, notes] = [new CapturedScreen(), new CapturedScreen()];
  const shows = (text: string) =>
    until("what was printed", () => screen.text === text, { lastSeen: () => screen.text });
  const following = logs(run, "train", { ...fixture.options, stdout: true, follow: true }, screen, notes);
  await shows("one\n");
  appendFileSync(new AttemptFiles(fixture.folder, run, "train@1").stream("stdout"), "two\n");
  await shows("one\ntwo\n");
  print("train@2", "again\n", "");
  fixture.note(run, [finished(task, { run, failure }), ...submitted(task, 2), started(task, 2, 2)]);
  await shows("one\ntwo\nagain\n");
  fixture.note(run, [finished(task, { run, attempt: "train@2" }), ended(task, { state: "done", outputs: {} })]);
  expect(await following).toBe(0);
  expect(notes.text).toBe("attempt 2 of train\n");
});
