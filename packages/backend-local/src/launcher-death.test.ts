import {
  type BackendHarness,
  beatingPids,
  ContractSession,
  daemonThatBeats,
  isBeating,
  ledger,
  letGo,
  shellJob,
  shellTask,
  sign,
  waitFor,
} from "@wf/backend/contract";
import { until } from "@wf/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launcherPids, makeLocalHarness } from "./testing/local-harness.ts";

let harness: BackendHarness;
let sessions: ContractSession[];
beforeEach(async () => {
  harness = await makeLocalHarness();
  sessions = [];
});
afterEach(async () => {
  for (const session of sessions) await session.clear();
  await harness.dispose();
});

async function open(onEvent?: () => void): Promise<ContractSession> {
  const session = new ContractSession(harness.create());
  await session.open(onEvent);
  sessions.push(session);
  return session;
}

function killLauncher(): void {
  const pids = launcherPids(harness.storage);
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

test("a launcher is killed under its engine: what ran is dead, then lost; what waited runs once", async () => {
  const session = await open();
  const blocks = shellJob(harness, "blocks", `${daemonThatBeats(harness)}; sleep 600`);
  await session.submit({ ...blocks, cpus: 2 }, shellJob(harness, "waits", sign(harness, "waits")));
  await until("the daemon of the task", () => isBeating(harness));
  expect(beatingPids(harness)).not.toEqual([]);
  killLauncher();

  expect(await session.finished("blocks")).toMatchObject({ state: "failed", failure: { class: "lost" } });
  expect(beatingPids(harness)).toEqual([]);
  expect(await session.finished("waits")).toMatchObject({ state: "succeeded" });
  await session.close();
  expect([session.countFinished("blocks"), session.countFinished("waits")]).toEqual([1, 1]);
  expect(ledger(harness)).toEqual(["waits"]);
});

test("a launcher is killed while no engine is there: the next engine finds its tasks dead and lost", async () => {
  const killed = await open();
  await killed.submit(shellJob(harness, "a1", `${daemonThatBeats(harness)}; sleep 600`));
  await until("the daemon of the task", () => isBeating(harness));
  expect(beatingPids(harness)).not.toEqual([]);
  await killed.crash(harness);
  killLauncher();

  const resumed = await open();
  expect((await resumed.adopt("a1", "a2")).get("a1")).toBe("finished");
  expect(await resumed.finished("a1")).toMatchObject({ failure: { class: "lost" } });
  expect(beatingPids(harness)).toEqual([]);
});

test("a launcher is killed with a waiting attempt whose job only an earlier engine knew: the engine is told to resume", async () => {
  const killed = await open();
  const tasks = [shellTask("one", "sleep 600"), shellTask("two", sign(harness, "two"), { after: ["one"] })];
  const job = { ...shellJob(harness, "one", ""), tasks };
  await killed.submit(job);
  await killed.started("one");
  await killed.crash(harness);

  const resumed = await open();
  expect([...(await resumed.adopt("one", "two")).values()]).toEqual(["running", "running"]);
  killLauncher();
  expect(await resumed.finished("one")).toMatchObject({ failure: { class: "lost" } });
  await expect(resumed.finished("two")).rejects.toMatchObject({ code: "WF_LAUNCHER", hint: "Type: wf resume r1" });
  await resumed.crash(harness);

  const again = await open();
  expect([...(await again.adopt("one", "two")).values()]).toEqual(["finished", "never-submitted"]);
  await again.submit(job);
  expect(await again.finished("two")).toMatchObject({ failure: { class: "not-reached" } });
});

test("what is submitted and cancelled while the launcher is away reaches the next one", async () => {
  const session = await open();
  await session.submit({ ...shellJob(harness, "blocks", "sleep 600"), cpus: 2 });
  await session.submit(shellJob(harness, "waits", sign(harness, "waits")));
  await session.started("blocks");
  killLauncher();
  await session.submit(shellJob(harness, "late", sign(harness, "late")));
  await session.cancel("waits");

  expect(await session.finished("blocks")).toMatchObject({ failure: { class: "lost" } });
  expect(await session.finished("late")).toMatchObject({ state: "succeeded" });
  expect(await session.finished("waits")).toMatchObject({ failure: { class: "cancelled" } });
  expect(ledger(harness)).toEqual(["late"]);
});

test("a launcher that is killed again and again loses what runs each time, and nothing else", async () => {
  const session = await open();
  for (const attempt of ["a1", "a2", "a3", "a4", "a5"]) {
    await session.submit(shellJob(harness, attempt, "sleep 600"));
    await session.started(attempt);
    killLauncher();
    expect(await session.finished(attempt)).toMatchObject({ failure: { class: "lost" } });
  }
  await session.submit(shellJob(harness, "last", "true"));
  expect(await session.finished("last")).toMatchObject({ state: "succeeded" });
});

test("a launcher whose engine was killed finishes its tasks; the next engine has another launcher if it has gone", async () => {
  const killed = await open();
  await killed.submit(shellJob(harness, "a1", waitFor(harness, "go")));
  await killed.started("a1");
  const before = launcherPids(harness.storage);
  await killed.crash(harness);
  const resumed = await open();
  expect(launcherPids(harness.storage)).toEqual(before);
  await resumed.adopt("a1");
  letGo(harness, "go");
  await resumed.finished("a1");
  await resumed.close();
  await until("the end of the launcher", () => launcherPids(harness.storage).length === 0);
  const third = await open();
  expect((await third.adopt("a1")).get("a1")).toBe("finished");
});
