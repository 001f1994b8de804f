import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { newRun, testFolder, testStore } from "./facts.fixture.ts";
import { isProcessAlive, machineOf, type ProcessIdentity, placeOf, thisProcess } from "./process-identity.ts";

const here: ProcessIdentity = { host: "laptop", pid: 10, bootId: "boot", startTicks: 500 };
const other: ProcessIdentity = { ...here, pid: 20, startTicks: 600 };

function storeAt(changes: { alive?: readonly number[]; now?: () => number }) {
  const { alive = [], now = () => 1000 } = changes;
  const store = testStore({ here, now, isProcessAlive: ({ pid }) => alive.includes(pid) });
  return { store, run: store.createRun(newRun()) };
}

test("a run whose owner lives is refused to another process, which is told who and since when", () => {
  const { store, run } = storeAt({ alive: [10, 20] });
  store.acquireLease(run, other);
  expect(() => store.acquireLease(run, here)).toThrow(
    expect.objectContaining({
      code: "WF_RUN_OWNED",
      exitCode: 5,
      message: `Process 20 on laptop has been running ${run} since 1970-01-01T00:16:40.000Z.`,
      hint: expect.stringContaining(`wf cancel ${run}`),
    }),
  );
  expect(() => store.deleteRun(run)).toThrow(expect.objectContaining({ code: "WF_RUN_OWNED" }));
});

test("a lease of a dead process, or from before a reboot, is free", () => {
  const { store, run } = storeAt({ alive: [10] });
  store.acquireLease(run, other);
  expect(store.lease(run)).toMatchObject({ pid: 20, alive: false });
  store.acquireLease(run, here);
  expect(store.lease(run)).toMatchObject({ pid: 10, alive: true, since: 1000 });

  const rebooted = storeAt({ alive: [10, 20] });
  rebooted.store.acquireLease(rebooted.run, { ...other, bootId: "earlier boot" });
  expect(() => rebooted.store.acquireLease(rebooted.run)).not.toThrow();
});

test("from another machine the heartbeat tells", () => {
  let now = 1000;
  const { store, run } = storeAt({ alive: [10], now: () => now });
  const remote = { ...other, host: "server" };
  store.acquireLease(run, remote);
  now = 1050;
  store.heartbeat(run, remote);
  now = 1109;
  expect(() => store.acquireLease(run)).toThrow(expect.objectContaining({ code: "WF_RUN_OWNED" }));
  now = 1110;
  store.acquireLease(run);
  expect(() => store.heartbeat(run, remote)).toThrow(
    expect.objectContaining({ code: "WF_RUN_OWNED", message: expect.stringContaining("Process 10 on laptop") }),
  );
});

test("an owner may take its run again, and only an owner can give it up", () => {
  const { store, run } = storeAt({ alive: [10, 20] });
  store.acquireLease(run);
  store.acquireLease(run);
  store.releaseLease(run, other);
  expect(store.lease(run)?.pid).toBe(10);
  store.releaseLease(run);
  expect(store.lease(run)).toBeUndefined();
  expect(() => store.heartbeat(run)).toThrow(expect.objectContaining({ code: "WF_RUN_OWNED" }));
});

test("real processes: this one lives, an ended one and one with another start do not", async () => {
  expect(isProcessAlive(thisProcess())).toBe(true);
  const child = spawn(process.execPath, ["-e", ""]);
  const pid = Number(child.pid);
  await once(child, "exit");
  expect(isProcessAlive({ ...thisProcess(), pid })).toBe(false);
  expect(isProcessAlive({ ...thisProcess(), pid, startTicks: null })).toBe(false);
  expect(isProcessAlive({ ...thisProcess(), startTicks: null })).toBe(true);
});

test.runIf(process.platform === "linux")("a later process with the same pid is not taken for the owner", () => {
  const self = thisProcess();
  expect(self.bootId).toMatch(/^[0-9a-f-]{36}$/);
  expect(isProcessAlive({ ...self, startTicks: Number(self.startTicks) - 1 })).toBe(false);
});

test("requests reach the owner once and in order, from another process", () => {
  const folder = testFolder();
  const owner = testStore({}, folder);
  const asking = testStore({ now: () => 7 }, folder);
  const run = owner.createRun(newRun());
  const another = owner.createRun(newRun());
  expect(owner.takeRequests(run)).toEqual([]);
  asking.ask(run, "drain", "anna@laptop");
  asking.ask(run, "cancel", "ben@server");
  expect(owner.takeRequests(another)).toEqual([]);
  expect(owner.takeRequests(run)).toEqual([
    { kind: "drain", askedBy: "anna@laptop", askedAt: 7 },
    { kind: "cancel", askedBy: "ben@server", askedAt: 7 },
  ]);
  expect(owner.takeRequests(run)).toEqual([]);
});

test("a pid of another pid namespace proves nothing: as on another machine, the heartbeat tells", () => {
  expect(placeOf("laptop", "pid:[4026531836]")).toBe("laptop");
  expect(placeOf("laptop", undefined)).toBe("laptop");
  expect(machineOf({ host: placeOf("laptop", "pid:[4026532180]") })).toBe("laptop");
  expect(placeOf("laptop", "pid:[4026532281]")).not.toBe(placeOf("laptop", "pid:[4026532282]"));
});

const BUILT = new URL("../dist/process-identity.js", import.meta.url).href;
const SHOW = `import { thisProcess } from ${JSON.stringify(BUILT)}; console.log(thisProcess().host)`;
const node = [process.execPath, "--input-type=module", "-e", SHOW];
const apart = spawnSync("unshare", ["--pid", "--fork", ...node], { encoding: "utf8" });

test.skipIf(apart.status !== 0)("a process behind unshare --pid is elsewhere (needs root)", () => {
  expect(apart.stdout.trim()).not.toBe(thisProcess().host);
  const same = spawnSync(node[0] as string, node.slice(1), { encoding: "utf8" });
  expect(same.stdout.trim()).toBe(thisProcess().host);
});
