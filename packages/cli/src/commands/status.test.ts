import { tellQueue } from "@wf/run";
import { ended, finished, lifeOf, ready, StoreFixture, started, step, submitted } from "@wf/run/testing";
import { until } from "@wf/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { EmulatedTerminal } from "../testing/emulated-terminal.ts";
import { status } from "./status.ts";

let fixture: StoreFixture;
let run: string;
const slow = step("work", 1);
beforeEach(() => {
  fixture = new StoreFixture();
  run = fixture.begin({ stages: ["work"] });
  fixture.store.acquireLease(run);
  fixture.note(run, lifeOf(step("work", 0), 1, { run }));
  fixture.note(run, [ready(slow), ready(step("work", 2)), ...submitted(slow), started(slow, Date.now() / 1000 - 42)]);
});
afterEach(() => fixture.close());

function finishRun(): void {
  fixture.note(run, [finished(slow, { run }), ended(slow, { state: "done", outputs: {} })]);
  fixture.note(run, lifeOf(step("work", 2), 1, { run }));
  fixture.end(run, "succeeded");
}

it("tells who owns a run, how far it is, and what runs now", async () => {
  const screen = new CapturedScreen(80);
  expect(await status(undefined, fixture.options, screen)).toBe(0);
  expect(screen.lines[0]).toMatch(new RegExp(`^${run}  running  `));
  expect(screen.lines[1]).toMatch(new RegExp(`^  owner  process ${process.pid} on .*, last heard of just now$`));
  expect(screen.text).toMatch(/▸ work .* 1\/3\+ {2}1 running, 1 waiting/);
  expect(screen.text).toMatch(/ {2}work\.1 +42s/);
});

const QUIET = {
  unsubmitted: 0,
  running: 1,
  held: {},
  heldJobs: [],
  howToRelease: "",
  waiting: {},
  commands: { squeue: 3 },
};

it("says what keeps the owner from hearing of its jobs", async () => {
  const at = Date.now() / 1000 - 90;
  const lost = { at, why: "read ECONNRESET" };
  const silent = { at, why: "Unable to contact slurm controller" };
  const stop = tellQueue(
    { folder: fixture.folder, run },
    () => ({ ...QUIET, lost, silent }),
    () => undefined,
  );
  stop();
  const screen = new CapturedScreen(200);
  await status(run, fixture.options, screen);
  expect(screen.text).toMatch(/the connection has been lost for 1m 30s \(read ECONNRESET\); what runs there goes on/);
  expect(screen.text).toMatch(/the scheduler has not answered for 1m 30s \(Unable to contact slurm controller\)/);
});

it("says that its owner starts nothing more, why, and how to end the rest; but not of an earlier owner", async () => {
  const lines = async () => {
    const screen = new CapturedScreen(200);
    await status(run, fixture.options, screen);
    return screen.text;
  };
  expect(await lines()).not.toContain("stopping");
  fixture.note(run, [{ type: "run.stopping", how: "drain", why: "the disk is full" }]);
  expect(await lines()).toMatch(
    new RegExp(
      `stopping +waits for 1 running task and starts nothing more, for \\d+s \\(the disk is full\\); to end them now: wf cancel ${run}`,
    ),
  );
  fixture.store.releaseLease(run);
  expect(await lines()).not.toContain("waits for");
});

it("gives the same as JSON", async () => {
  const screen = new CapturedScreen();
  await status(run, { ...fixture.options, json: true }, screen);
  expect(screen.json).toMatchObject([
    {
      run,
      status: "running",
      owner: { pid: process.pid },
      running: [{ task: "work.1" }],
      tasks: { done: 1, running: 1 },
    },
  ]);
});

it("says what to type when the owner is gone", async () => {
  fixture.store.releaseLease(run);
  const screen = new CapturedScreen();
  await status(run, fixture.options, screen);
  expect(screen.text).toContain(`nobody runs it. Go on with: wf resume ${run}`);
});

it("follows a run on a terminal until it has ended, and returns its exit code", async () => {
  const terminal = new EmulatedTerminal(90, 24);
  const following = status(run, { ...fixture.options, follow: true }, terminal);
  await until("the task on the terminal", async () => (await terminal.visible()).join("\n").includes("work.1  4"));
  finishRun();
  expect(await following).toBe(0);
  const shown = await terminal.shown();
  expect(shown.filter((line) => line.includes("3/3"))).toHaveLength(1);
  expect(shown.join("\n")).toContain(`succeeded  ${run}`);
  expect(shown.join("\n")).not.toContain("Ctrl-C");
});

it.each(["cancelled", "stopped"] as const)(
  "follows a run that was %s with the exit code of one that was",
  async (how) => {
    fixture.end(run, how);
    expect(await status(run, { ...fixture.options, follow: true }, new CapturedScreen())).toBe(130);
  },
);

it("follows a run that has failed with its exit code, as JSON lines", async () => {
  fixture.end(run, "failed");
  const screen = new CapturedScreen();
  expect(await status(run, { ...fixture.options, follow: true, json: true }, screen)).toBe(1);
  expect(screen.json).toMatchObject([{ status: "failed" }]);
});
