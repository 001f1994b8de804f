import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@wf/testing";
import { localTransport } from "@wf/transport";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepMarked, markClosed, markOpen } from "./run-marks.ts";

const { signal } = new AbortController();
const transport = localTransport({});
const identity = { store: "me", where: "here" };
let storage: string;
let sweep: string;
beforeEach(() => {
  storage = mkdtempSync(join(tmpdir(), "wf-marks-"));
  mkdirSync(join(storage, "leases"));
  sweep = join(storage, "leases", "sweep");
});
afterEach(() => rmSync(storage, { recursive: true, force: true }));

it("a run leaves its lease, and then waits for a sweep, with a word", async () => {
  const place = { transport, storage, run: "run-1" };
  writeFileSync(sweep, "{}");
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    expect(existsSync(join(storage, "leases", "run-1"))).toBe(true);
    rmSync(sweep);
  };
  await markOpen(place, identity, note, signal);
  expect(notes).toEqual([expect.stringContaining("waiting for wf gc")]);
  await markClosed(place, signal);
  expect(existsSync(join(storage, "leases", "run-1"))).toBe(false);
});

it("a sweep that was killed is waited for no more", async () => {
  writeFileSync(sweep, "{}");
  const longAgo = Date.now() / 1000 - 600;
  utimesSync(sweep, longAgo, longAgo);
  await markOpen({ transport, storage, run: "run-1" }, identity, () => expect.unreachable(), signal);
});

it("a run that takes long leaves its lease again and again, until it ends", async () => {
  const place = { transport, storage, run: "run-1" };
  const lease = join(storage, "leases", "run-1");
  await markOpen(place, identity, () => expect.unreachable(), signal);
  const stop = keepMarked(place, identity, 5);
  for (let times = 0; times < 3; times += 1) {
    utimesSync(lease, 1, 1);
    await until("a newer lease", () => statSync(lease).mtimeMs > 1000);
  }
  await stop();
  await markClosed(place, signal);
  expect(readdirSync(join(storage, "leases"))).toEqual([]);
});
