import { until } from "@wf/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseEvents } from "../parsing/parse-events.ts";
import { recordedLog, recording } from "../testing/recording.ts";
import type { WatchEvent } from "../watching/watched-job.ts";
import { PoolWatch } from "./pool-watch.ts";

const LOG = recordedLog("failed");
const [FIRST] = parseEvents(LOG).events;
const JOB = FIRST?.job as string;
const CLUSTER = JOB.split(".")[0] as string;
const TOKEN = FIRST?.information?.token as string;
const SOON_MS = 20;
const NEVER_MS = 3_600_000;

let life: AbortController;
let asked: string[];
let told: WatchEvent["type"][];

beforeEach(() => {
  life = new AbortController();
  asked = [];
  told = [];
});
afterEach(() => life.abort());

/** A pool whose queue is empty, and whose history knows the recorded job. */
function watching(schedule: { readonly everyMs: number; readonly atMostMs: number }): PoolWatch {
  const command = async ([name]: readonly [string, ...string[]]) => {
    asked.push(name);
    return recording(name === "condor_q" ? "nothing.condor_q" : "failed.condor_history");
  };
  const watch = new PoolWatch(command as never, schedule);
  void watch.run({ onEvent: ({ type }) => told.push(type), onLogged: () => undefined }, life.signal);
  return watch;
}

function submit(watch: PoolWatch): void {
  watch.expect(TOKEN);
  watch.submitted(TOKEN, CLUSTER);
  watch.watch([JOB]);
}

const LATE = { everyMs: NEVER_MS, atMostMs: NEVER_MS };
const ended = async (meanwhile: () => void = () => undefined) => {
  await until("the end of the job", () => {
    meanwhile();
    return told.length > 0;
  });
  expect(told).toEqual(["ended"]);
};

test("the log tells all, and nobody is asked", () => {
  const watch = watching(LATE);
  submit(watch);
  watch.hearLog({ events: LOG });
  expect(told).toEqual(["waiting", "running", "ended"]);
  expect(asked).toEqual([]);
});

test("a log that comes in pieces is a log", () => {
  const watch = watching(LATE);
  submit(watch);
  for (let first = 0; first < LOG.length; first += 100) watch.hearLog({ events: LOG.slice(first, first + 100) });
  expect(told).toEqual(["waiting", "running", "ended"]);
});

test("a job may be over before condor_submit has said its number", () => {
  const watch = watching(LATE);
  watch.expect(TOKEN);
  watch.hearLog({ events: LOG });
  expect(told).toEqual([]);
  watch.submitted(TOKEN, CLUSTER);
  watch.watch([JOB]);
  expect(told).toEqual(["waiting", "running", "ended"]);
});

test("however the log is cut, and whenever condor_submit answers, all of it is told", () => {
  const place = fc.nat({ max: LOG.length });
  fc.assert(
    fc.property(fc.array(place), place, place, (cuts, one, other) => {
      told = [];
      const [answered, watched] = [Math.min(one, other), Math.max(one, other)];
      const watch = watching(LATE);
      watch.expect(TOKEN);
      const stops = [...new Set([0, ...cuts, answered, watched, LOG.length])].sort((a, b) => a - b);
      for (const [index, stop] of stops.entries()) {
        watch.hearLog({ events: LOG.slice(stops[index - 1] ?? 0, stop) });
        if (stop === answered) watch.submitted(TOKEN, CLUSTER);
        if (stop === watched) watch.watch([JOB]);
      }
      expect(told).toEqual(["waiting", "running", "ended"]);
    }),
  );
});

test("a log that is silent for long: the queue is asked, and the history about what it does not list", async () => {
  submit(watching({ everyMs: NEVER_MS, atMostMs: SOON_MS }));
  await ended();
  expect(asked).toEqual(["condor_q", "condor_history"]);
});

test("a log that was lost: they are asked soon", async () => {
  const watch = watching({ everyMs: SOON_MS, atMostMs: NEVER_MS });
  submit(watch);
  watch.hearLog({ areEventsLost: true });
  await ended();
});

test("jobs of an earlier engine: they are asked about soon, though the log goes on telling of others", async () => {
  const watch = watching({ everyMs: SOON_MS, atMostMs: NEVER_MS });
  watch.hearLog({ events: LOG });
  watch.watch([JOB]);
  await ended(() => watch.hearLog({ events: recordedLog("running") }));
});
