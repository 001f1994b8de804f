import type { Element } from "@wf/backend-cluster";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { recording, VERSIONS } from "./testing/recording.ts";
import { ScriptedSlurm } from "./testing/scripted-slurm.ts";

let slurm: ScriptedSlurm;
let passedMs: number;
beforeEach(() => {
  passedMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => passedMs);
  slurm = new ScriptedSlurm();
});
afterEach(() => {
  slurm.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const account = (id: string, state: string, nodes = "c1") =>
  `${id}|${state}|0:0|2026-11-16T02:00:00|2026-11-16T02:00:01|2026-11-16T02:00:02|${nodes}|None|\n`;

function watch(...jobs: readonly string[]): void {
  slurm.system.watch(jobs);
  slurm.start();
}

/** Time passes, and the queue is asked again and again. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    passedMs += 5_000;
    await new Promise(setImmediate);
  }
}

async function polls(times: number): Promise<void> {
  const count = () => slurm.calls.filter((call) => call.startsWith("squeue ")).length;
  const wanted = count() + times;
  await until(() => count() >= wanted);
}

describe.each(VERSIONS)("where %s", (version) => {
  test("has forgotten a job, accounting tells of its end", async () => {
    slurm.answers = {
      squeue: () => recording(version, "purged.squeue"),
      sacct: () => ({ stdout: account("6", "TIMEOUT") }),
    };
    watch("6");
    await until(() => slurm.events.length > 0);
    expect(slurm.events).toMatchObject([{ type: "ended", job: "6", ending: { nodes: "c1" } }]);
  });

  test("cannot be reached, nothing is known of a job, however long", async () => {
    slurm.answers = { squeue: () => recording(version, "slurmctld-down.squeue-id") };
    watch("67");
    await polls(5);
    expect(slurm.events).toEqual([]);
    expect(slurm.calls.filter((call) => call.startsWith("sacct"))).toEqual([]);
  });

  test("has forgotten a job and accounting does not answer, it has not vanished", async () => {
    slurm.answers = {
      squeue: () => recording(version, "purged.squeue"),
      sacct: () => recording(version, "slurmdbd-down.sacct"),
    };
    watch("6");
    await polls(5);
    expect(slurm.events).toEqual([]);
    slurm.answers = { squeue: () => recording(version, "purged.squeue") };
    await until(() => slurm.events.length > 0);
    expect(slurm.events).toEqual([{ type: "vanished", job: "6" }]);
  });
});

test("a cluster that keeps no accounts knows nothing of a job that the queue has forgotten", async () => {
  slurm.answers = {
    squeue: () => recording("slurm-22.05", "purged.squeue"),
    sacct: () => ({ code: 1, stderr: "Slurm accounting storage is disabled\n" }),
  };
  watch("6");
  await until(() => slurm.events.length > 0);
  expect(slurm.events).toEqual([{ type: "vanished", job: "6" }]);
});

test("of many jobs that are missed, those about which accounting was not asked have not vanished", async () => {
  const jobs = Array.from({ length: 600 }, (_, index) => `31_${index}`);
  const last = () => ({ stdout: account("31_[500-599]", "COMPLETED") });
  slurm.answers = { sacct: (argv) => (argv.join().includes("31_599") ? last() : {}) };
  watch(...jobs);
  await until(() => slurm.events.length >= 600);
  expect(slurm.events.map(({ job }) => job)).toEqual(jobs);
  const types = slurm.events.map(({ type }) => type);
  expect(types).toEqual([...Array(500).fill("vanished"), ...Array(100).fill("ended")]);
});

test("an array is asked for as one job", async () => {
  watch("31_0", "31_1", "7");
  await polls(1);
  expect(slurm.calls[0]).toBe("squeue -h -r -t all -j 31,7 -o %i|%A|%T|%r|%N");
});

test("of a job whose attempts have their records, the queue's word that it has completed is enough", async () => {
  slurm.answers = {
    squeue: () => {
      slurm.system.settled("7");
      return { stdout: "7|7|COMPLETED|None|c1\n" };
    },
    sacct: () => ({ stdout: "" }),
  };
  watch("7");
  slurm.system.confirm();
  await until(() => slurm.events.length > 0);
  expect(slurm.events).toMatchObject([{ type: "ended", job: "7", ending: { isByItself: true } }]);
});

test("of a job whose attempts have their records, accounting says when it was ended", async () => {
  slurm.answers = {
    squeue: () => ({ stdout: "7|7|CANCELLED|None|c1\n" }),
    sacct: () => ({ stdout: account("7", "CANCELLED by 0") }),
  };
  watch("7");
  slurm.system.settled("7");
  await until(() => slurm.events.length > 0);
  expect(slurm.events).toMatchObject([{ type: "ended", job: "7", ending: { isByItself: false } }]);
  expect(slurm.calls.some((call) => call.startsWith("sacct"))).toBe(true);
});

test("a job that would wait for ever is hopeless, one that is held is not", async () => {
  slurm.answers = { squeue: () => ({ stdout: "7|7|PENDING|PartitionTimeLimit|\n8|8|PENDING|JobHeldUser|\n" }) };
  watch("7", "8");
  await until(() => slurm.events.length > 2);
  expect(slurm.events).toEqual([
    { type: "released", job: "7" },
    { type: "hopeless", job: "7", message: expect.stringMatching(/PartitionTimeLimit, job 7.*sinfo/) },
    { type: "held", job: "8", reason: "JobHeldUser" },
  ]);
  expect(slurm.system.phaseOf("8")).toEqual({ phase: "waiting", reason: "JobHeldUser", isHeld: true });
});

test.each([
  ["NODE_FAIL", "c2", ["c2"]],
  ["BOOT_FAIL", "c2", ["c2"]],
  ["FAILED", "c2", []],
  ["NODE_FAIL", "c[1-2]", []],
  ["NODE_FAIL", "None assigned", []],
])("after %s on %s these nodes are avoided: %j", async (state, nodes, broken) => {
  slurm.answers = { sacct: () => ({ stdout: account("7", state, nodes) }) };
  watch("7");
  await until(() => slurm.events.length > 0);
  expect(slurm.system.brokenNodes).toEqual(broken);
});

test("a clock that is turned back stops no question, and no job waits for it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  slurm.answers = { squeue: () => ({ stdout: "" }), sacct: () => ({ stdout: "" }) };
  watch("6");
  await polls(1);
  vi.setSystemTime(Date.now() - 86_400_000);
  await until(() => slurm.events.length > 0);
  expect(slurm.events).toEqual([{ type: "vanished", job: "6" }]);
});

test("a job of its own has no index, an element of an array has one", () => {
  expect(slurm.system.jobName("31", 0, 1)).toBe("31");
  expect([0, 5].map((index) => slurm.system.jobName("31", index, 9))).toEqual(["31_0", "31_5"]);
});

function element(id: string | null, index: number, siblings: number): Element {
  return {
    ...{ token: "t", index, siblings, entry: { job: "j", tasks: [] }, graceSeconds: 5, unfinished: new Set(["a@1"]) },
    taken: id === null ? null : { id, job: slurm.system.jobName(id, index, siblings) },
    ...{ hasSucceeded: false, end: null, over: null },
  };
}

test("a whole array is cancelled by its id, some of it by their indices, and what SLURM has not got not at all", async () => {
  const { system, signal, calls } = slurm;
  const whole = [0, 1, 2].map((index) => element("31", index, 3));
  await system.cancel([element("7", 0, 1), ...whole], "waiting", signal);
  await system.cancel([whole[0] as Element, whole[2] as Element], "for-good", signal);
  await system.cancel([element("8", 0, 1)], "gently", signal);
  await system.cancel([element(null, 0, 1)], "waiting", signal);
  expect(calls).toEqual(["scancel --quiet 7 31", "scancel --quiet 31_[0,2]", "scancel --quiet --batch --signal=INT 8"]);
});
