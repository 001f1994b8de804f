import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSacct } from "../parsing/parse-sacct.ts";
import { parseSqueue } from "../parsing/parse-squeue.ts";
import { recording, VERSIONS } from "../testing/recording.ts";
import { NEWLY_SUBMITTED, type Observed, observe, type WatchedJobs } from "./observe.ts";

const watched = (...ids: string[]): WatchedJobs => new Map(ids.map((id) => [id, NEWLY_SUBMITTED]));
const queue = (...lines: string[]) => parseSqueue(lines.join("\n"));
const accounting = (...lines: string[]) => parseSacct(lines.join("\n"));
const account = (id: string, state: string, exit = "0:0") =>
  `${id}|${state}|${exit}|2026-11-16T02:00:00|2026-11-16T02:00:01|2026-11-16T02:00:02|c1|None|`;

const TURN_MS = 5000;

/** What is heard, one after the other. */
function hear(
  jobs: WatchedJobs,
  ...heard: readonly { queue?: string[] | null; accounting?: string[] | null }[]
): Observed[] {
  const seen: Observed[] = [];
  for (const [turn, { queue: lines, accounting: rows }] of heard.entries()) {
    const observed = observe(seen.at(-1)?.jobs ?? jobs, {
      nowMs: turn * TURN_MS,
      queue: lines ? queue(...lines) : null,
      accounting: rows ? accounting(...rows) : null,
    });
    seen.push(observed);
  }
  return seen;
}

const typesOf = (seen: readonly Observed[]) => seen.map(({ events }) => events.map(({ type }) => type).join());

test("waits, runs, ends: each is told once, and the end comes from accounting", () => {
  const seen = hear(
    watched("7"),
    { queue: ["7|7|PENDING|Priority|"] },
    { queue: ["7|7|PENDING|Priority|"] },
    { queue: ["7|7|PENDING|Resources|"] },
    { queue: ["7|7|RUNNING|None|c1"] },
    { queue: ["7|7|RUNNING|None|c1"] },
    { queue: ["7|7|FAILED|NonZeroExitCode|c1"] },
    { queue: ["7|7|FAILED|NonZeroExitCode|c1"], accounting: [account("7", "FAILED", "5:0")] },
  );
  expect(typesOf(seen)).toEqual(["waiting", "", "waiting", "running", "", "", "ended"]);
  expect(seen[5]?.doubted).toEqual(["7"]);
  expect(seen[6]?.events[0]).toMatchObject({ end: { state: "failed", exitCode: 5, nodes: "c1" } });
  expect(seen[6]?.jobs.size).toBe(0);
});

test("where accounting stays silent, the queue's word on an end is taken in the end", () => {
  const done = { queue: ["7|7|COMPLETED|None|c1"], accounting: [] };
  expect(typesOf(hear(watched("7"), done, done, done))).toEqual(["", "", "ended"]);
});

test("absence is unknown: a job is missed only after both were asked for long", () => {
  const nothing = { queue: [], accounting: [] };
  const seen = hear(watched("7"), nothing, nothing, nothing, nothing, nothing);
  expect(typesOf(seen)).toEqual(["", "", "", "", "vanished"]);
  expect(seen[0]?.doubted).toEqual(["7"]);
});

test("a job that accounting cannot be asked about does not vanish", () => {
  const half = { queue: [], accounting: null };
  const seen = hear(watched("7"), ...Array.from({ length: 20 }, () => half));
  expect(seen.at(-1)?.doubted).toEqual(["7"]);
});

test("a queue that cannot be asked says nothing, however long", () => {
  const silence = { queue: null, accounting: null };
  const seen = hear(watched("7"), { queue: ["7|7|RUNNING|None|c1"] }, ...Array.from({ length: 20 }, () => silence));
  expect(typesOf(seen.slice(1)).every((types) => types === "")).toBe(true);
  expect(seen.at(-1)?.jobs.get("7")?.known).toEqual({ phase: "running", nodes: "c1" });
});

test("accounting that knows a job keeps it from vanishing, though its news are old", () => {
  const old = { queue: [], accounting: [account("7", "RUNNING")] };
  expect(typesOf(hear(watched("7"), old, old, old, old, old, old))).toEqual(["", "", "", "", "", ""]);
});

test("a job that runs again is not at the end of its earlier life", () => {
  const lives = [account("7", "NODE_FAIL"), account("7", "PENDING")];
  expect(typesOf(hear(watched("7"), { queue: ["7|7|PENDING|BeginTime|"], accounting: lives }))).toEqual(["waiting"]);
  expect(
    typesOf(hear(watched("7"), { queue: ["7|7|RUNNING|None|c1"], accounting: [account("7", "REQUEUED")] })),
  ).toEqual(["running"]);
});

test("what is completing has ended when accounting says so, and not before", () => {
  const seen = hear(
    watched("7"),
    { queue: ["7|7|COMPLETING|None|c1"] },
    { queue: ["7|7|COMPLETING|None|c1"], accounting: [account("7", "COMPLETED")] },
  );
  expect(typesOf(seen)).toEqual(["", "ended"]);
});

test("a row for one element goes before the row for the rest of its array", () => {
  const rows = [account("31_5", "COMPLETED"), account("31_[5-19%5]", "PENDING")];
  for (const order of [rows, rows.toReversed()]) {
    expect(hear(watched("31_5"), { queue: [], accounting: order })[0]?.events).toMatchObject([
      { end: { state: "completed" } },
    ]);
  }
});

test("a whole array that was cancelled while it waited is one row for all of its elements", () => {
  const seen = hear(watched("42_0", "42_9"), { queue: [], accounting: [account("42_[0-9]", "CANCELLED by 0")] });
  expect(seen[0]?.events.map(({ job }) => job)).toEqual(["42_0", "42_9"]);
});

test.each(VERSIONS)(
  "what %s says of a job that missed its deadline is an end, in accounting and in the queue",
  (version) => {
    const rows = parseSqueue(recording(version, "deadline.squeue").stdout);
    const recorded = ["jobid", "jobidraw", "jobname", "state", "exitcode", "start", "end", "nodelist", "reason"];
    const accounts = parseSacct(recording(version, "deadline.sacct-x").stdout, recorded);
    const job = accounts[0]?.jobs[0]?.id as string;
    const end = { type: "ended", end: { state: "deadline", words: "DEADLINE" } };
    expect(observe(watched(job), { nowMs: 0, queue: [], accounting: accounts }).events).toMatchObject([end]);
    const before = observe(watched(rows[0]?.jobs[0]?.id as string), { nowMs: 0, queue: rows, accounting: [] });
    expect(observe(before.jobs, { nowMs: 10_000, queue: rows, accounting: [] }).events).toMatchObject([end]);
  },
);

test("a job that is seen alive again was never missed, however long it was before", () => {
  const nothing = { queue: [], accounting: [] };
  const alive = { queue: ["7|7|RUNNING|None|c1"] };
  const seen = hear(watched("7"), nothing, nothing, nothing, alive, nothing, nothing, nothing, nothing);
  expect(typesOf(seen)).toEqual(["", "", "", "running", "", "", "", ""]);
});

test("what is completing is not missed meanwhile, however long that takes", () => {
  const completing = { queue: ["7|7|COMPLETING|None|c1"], accounting: [] };
  const seen = hear(watched("7"), ...Array.from({ length: 6 }, () => completing), { queue: [], accounting: [] });
  expect(typesOf(seen).every((types) => types === "")).toBe(true);
  expect(seen[5]?.doubted).toEqual([]);
});

test("a state with an unknown word is no end", () => {
  const odd = { queue: ["7|7|TELEPORTING|None|c1"], accounting: [] };
  expect(typesOf(hear(watched("7"), odd, odd, odd, odd, odd, odd))).toEqual(["", "", "", "", "", ""]);
});

test.each(VERSIONS)("what %s lists: every job that is not at its end stays watched", (version) => {
  const rows = parseSqueue(recording(version, "squeue-all.pending").stdout);
  const ids = ["67", "68", "79_3", "6", "12", "42_3"];
  const { jobs, doubted } = observe(watched(...ids), { nowMs: 0, queue: rows, accounting: null });
  expect([...jobs.keys()]).toEqual(ids);
  expect(doubted).toEqual(["6", "12", "42_3"]);
});

const lines = fc.array(
  fc.constantFrom(
    "7|7|PENDING|Priority|",
    "7|7|RUNNING|None|c1",
    "7|7|COMPLETING|None|c1",
    "7|7|FAILED|None|c1",
    "9|9|FAILED|x|",
  ),
  { maxLength: 2 },
);
const rows = fc.subarray([account("7", "RUNNING"), account("7", "FAILED"), account("9", "FAILED")]);
const silentOr = (said: fc.Arbitrary<string[]>): fc.Arbitrary<string[] | null> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: fc.constant<string[]>([]) }, said);
const heardOnce = fc.record({ queue: silentOr(lines), accounting: silentOr(rows) });

/** For how long nobody had seen the job alive when it vanished; 0 where somebody was not asked, or knew it. */
function absentForMs(heard: readonly { queue: string[] | null; accounting: string[] | null }[], vanished: number) {
  const ofJob = (said: readonly string[] | null | undefined) => said?.findLast((line) => line.startsWith("7|"));
  const last = heard[vanished];
  if (!last?.queue || !last.accounting || ofJob(last.queue) || ofJob(last.accounting)) return 0;
  const alive = heard.slice(0, vanished).findLastIndex((one) => /PENDING|RUNNING/.test(ofJob(one.queue) ?? ""));
  const missed = heard.findIndex(
    ({ queue: said }, turn) => turn > alive && said !== null && !/COMPLETING/.test(ofJob(said) ?? ""),
  );
  return (vanished - missed) * TURN_MS;
}

test("whatever is heard: one end at most, and never without a word of the job or its long absence", () => {
  let vanishings = 0;
  fc.assert(
    fc.property(fc.array(heardOnce, { maxLength: 12 }), (heard) => {
      const seen = hear(watched("7"), ...heard);
      const ends = seen.flatMap(({ events }, turn) =>
        events.filter(({ type }) => type === "ended" || type === "vanished").map(({ type }) => ({ type, turn })),
      );
      expect(ends.length).toBeLessThanOrEqual(1);
      const said = JSON.stringify(heard);
      const [end] = ends;
      if (end?.type === "ended") expect(said).toMatch(/7\|(7\|)?FAILED/);
      if (end?.type === "vanished") {
        vanishings += 1;
        expect(absentForMs(heard, end.turn)).toBeGreaterThanOrEqual(20_000);
      }
    }),
    cases(500),
  );
  expect(vanishings).toBeGreaterThan(0);
});
