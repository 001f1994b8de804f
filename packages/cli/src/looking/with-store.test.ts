import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AttemptFiles } from "@wf/run";
import { lifeOf, StoreFixture, step } from "@wf/run/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { COMMANDS } from "../command-tree.ts";
import { attach } from "../commands/attach.ts";
import { compare } from "../commands/compare.ts";
import { logs } from "../commands/logs.ts";
import { models } from "../commands/models.ts";
import { query } from "../commands/query.ts";
import { runs } from "../commands/runs.ts";
import { show } from "../commands/show.ts";
import { status } from "../commands/status.ts";
import { trace } from "../commands/trace.ts";
import { why } from "../commands/why.ts";
import { checkStore } from "../doctor/place.ts";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { withStore } from "./with-store.ts";

let fixture: StoreFixture;
let first: string;
let last: string;
beforeEach(() => {
  fixture = new StoreFixture();
  [first, last] = [runOfOneTask(), runOfOneTask()];
});
afterEach(() => fixture.close());

function runOfOneTask(): string {
  const run = fixture.begin({ stages: ["train"] });
  fixture.note(run, lifeOf(step("train"), 1, { run }));
  fixture.end(run, "succeeded");
  const files = new AttemptFiles(fixture.folder, run, "train@1");
  mkdirSync(files.folder, { recursive: true });
  writeFileSync(files.stream("stdout"), "epoch 1\n");
  return run;
}

/**
 * Nobody has the store open, and its file says that whoever writes keeps a rollback journal, as it is after a copy by
 * SQLite's own means. Opening it for writing goes back to a write-ahead log, and says so in the file.
 */
function putAway(): void {
  fixture.store.close();
  const bytes = readFileSync(join(fixture.folder, "wf.db"));
  bytes.fill(1, 18, 20);
  writeFileSync(join(fixture.folder, "wf.db"), bytes);
}

function content(): Record<string, string> {
  const files = readdirSync(fixture.folder).filter((name) => name.startsWith("wf.db"));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(fixture.folder, name), "base64")]));
}

const screen = () => new CapturedScreen();
const LOOKS: Record<string, () => Promise<number>> = {
  runs: () => runs(fixture.options, screen()),
  show: () => show(undefined, undefined, fixture.options, screen(), screen()),
  status: () => status(undefined, fixture.options, screen()),
  attach: () => attach(undefined, fixture.options, screen()),
  logs: () => logs(undefined, "train", fixture.options, screen(), screen()),
  why: () => why(undefined, "train", fixture.options, screen()),
  trace: () => trace(undefined, fixture.options, screen(), screen()),
  compare: () => compare([first, last], fixture.options, screen()),
  models: () => models(undefined, fixture.options, screen()),
  query: () => query("SELECT run FROM run", fixture.options, screen()),
};

it.each(Object.entries(LOOKS))("%s changes no byte of a store that it looks at", async (_, look) => {
  putAway();
  const before = content();
  expect(await look()).toBe(0);
  expect(content()).toEqual(before);
});

it("knows every command that looks at runs", () => {
  const looking = COMMANDS.filter(({ group }) => group === "Look at runs").map(({ name }) => name);
  expect(looking).toEqual(Object.keys(LOOKS));
});

it("doctor changes no byte of a store that it looks at", async () => {
  putAway();
  const before = content();
  expect(await checkStore(fixture.folder).examine()).toMatchObject({ says: expect.stringContaining("2 runs") });
  expect(content()).toEqual(before);
});

it("opens a store for looking unless it is told that something will be written, and only one that is there", async () => {
  const ask = (options?: { isReadonly: boolean }) =>
    withStore(fixture.options, (store) => store.ask(last, "cancel", "me"), options);
  await expect(ask()).rejects.toThrow("readonly");
  await expect(ask({ isReadonly: true })).rejects.toThrow("readonly");
  await ask({ isReadonly: false });
  expect(fixture.store.takeRequests(last)).toHaveLength(1);
  const elsewhere = { store: join(fixture.folder, "none") };
  await expect(withStore(elsewhere, () => 0, { isReadonly: false })).rejects.toMatchObject({ code: "WF_STORE_OPEN" });
  expect(readdirSync(fixture.folder)).not.toContain("none");
});

it("closes the store however the work ends", async () => {
  const broken = new Error("broken");
  let seen: Parameters<Parameters<typeof withStore>[1]>[0] | undefined;
  const work = withStore(fixture.options, (store) => {
    seen = store;
    throw broken;
  });
  await expect(work).rejects.toBe(broken);
  expect(() => seen?.runs()).toThrow("not open");
});
