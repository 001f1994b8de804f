import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { expect, test } from "vitest";
import { connect } from "./connection.ts";
import { newRun, testFolder, testStore } from "./facts.fixture.ts";
import { createRun } from "./new-run.ts";
import { explainFailure } from "./sqlite-failure.ts";
import { Store } from "./store.ts";

const local = { readonly: false, readFileSystemType: () => 0xef53 };

test("a missing folder is made for its owner alone, with a write-ahead log", () => {
  const folder = join(testFolder(), "deep", "store");
  testStore({}, folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(existsSync(join(folder, "wf.db-wal"))).toBe(true);
});

test("what was written is there when the store is opened again", () => {
  const folder = testFolder();
  const first = Store.open(folder);
  const run = first.createRun(newRun());
  first.close();
  expect(testStore({}, folder).findRun("last")).toBe(run);
  expect(testStore({ readonly: true }, folder).findRun("last")).toBe(run);
});

test.each([
  ["NFS", 0x6969],
  ["SMB2", 0xfe534d42],
  ["SMB2, as a signed number", 0xfe534d42 | 0],
  ["FUSE", 0x65735546],
  ["Lustre", 0x0bd00bd0],
  ["GPFS", 0x47504653],
  ["BeeGFS", 0x19830326],
  ["CephFS", 0x00c36400],
  ["AFS", 0x5346414f],
  ["9p", 0x01021997],
])("a store on %s is refused, and nothing is made there", (_, type) => {
  const folder = join(testFolder(), "store");
  expect(() => Store.open(folder, { readFileSystemType: () => type })).toThrow(
    expect.objectContaining({ code: "WF_STORE_NETWORK", where: folder, hint: expect.stringContaining("--store") }),
  );
  expect(existsSync(folder)).toBe(false);
});

test("the file system is asked about the nearest folder that exists", () => {
  const folder = testFolder();
  const asked: string[] = [];
  const readFileSystemType = (path: string) => {
    asked.push(path);
    return 0xef53;
  };
  testStore({ readFileSystemType }, join(folder, "a", "b"));
  expect(asked).toEqual([folder]);
});

test("a store of a newer wf is refused and left as it is", () => {
  const folder = testFolder();
  const db = new SQLite(join(folder, "wf.db"));
  db.exec("CREATE TABLE future (x)");
  db.pragma("user_version = 999");
  db.close();
  const before = readFileSync(join(folder, "wf.db"));
  for (const readonly of [false, true]) {
    expect(() => Store.open(folder, { readonly })).toThrow(
      expect.objectContaining({ code: "WF_STORE_NEWER", message: expect.stringContaining("999") }),
    );
  }
  expect(readFileSync(join(folder, "wf.db"))).toEqual(before);
});

test("a file that is no database, a damaged one and a foreign one are refused", () => {
  const refusal = (content: Buffer | string) => {
    const folder = testFolder();
    writeFileSync(join(folder, "wf.db"), content);
    return () => Store.open(folder);
  };
  expect(refusal("hello, this is not a database at all".repeat(100))).toThrow(
    expect.objectContaining({ code: "WF_STORE_OPEN", message: expect.stringContaining("damaged") }),
  );

  const folder = testFolder();
  const store = Store.open(folder);
  store.createRun(newRun());
  store.close();
  const damaged = readFileSync(join(folder, "wf.db"));
  damaged.fill(0xab, 100, 4096);
  expect(refusal(damaged)).toThrow(expect.objectContaining({ code: "WF_STORE_OPEN" }));

  const foreign = new SQLite(join(testFolder(), "other.db"));
  foreign.exec("CREATE TABLE invoices (id)");
  expect(refusal(foreign.serialize())).toThrow(
    expect.objectContaining({ code: "WF_STORE_OPEN", message: expect.stringContaining("not one of wf") }),
  );
  foreign.close();
});

test("`check` names the damage that opening does not see", () => {
  const folder = testFolder();
  const store = Store.open(folder);
  for (let i = 0; i < 200; i++) store.createRun(newRun());
  expect(store.check()).toEqual([]);
  store.close();
  const file = join(folder, "wf.db");
  const bytes = readFileSync(file);
  bytes.fill(0xab, bytes.length - 3 * 4096, bytes.length - 4096);
  writeFileSync(file, bytes);
  expect(testStore({}, folder).check()).not.toEqual([]);
});

test("a folder that cannot be made is an error that names it", () => {
  const file = join(testFolder(), "a file");
  writeFileSync(file, "");
  expect(() => Store.open(join(file, "store"))).toThrow(
    expect.objectContaining({ code: "WF_STORE_OPEN", where: join(file, "store", "wf.db") }),
  );
});

test("looking at a store that is not there says what to do", () => {
  const folder = testFolder();
  expect(() => Store.open(folder, { readonly: true })).toThrow(
    expect.objectContaining({ code: "WF_STORE_OPEN", hint: expect.stringContaining("wf run") }),
  );
  expect(existsSync(join(folder, "wf.db"))).toBe(false);
});

test("a store that was opened to look cannot be written", () => {
  const folder = testFolder();
  testStore({}, folder).createRun(newRun());
  const reader = testStore({ readonly: true }, folder);
  expect(() => reader.createRun(newRun())).toThrow(expect.objectContaining({ code: "WF_STORE_OPEN" }));
});

test("a full disk is said so, loses nothing that was there, and is over when there is room again", () => {
  const folder = testFolder();
  const connection = connect(folder, local);
  const now = () => 1;
  const kept = createRun(connection, now, newRun());
  const pages = connection.db.pragma("page_count", { simple: true }) as number;
  connection.db.pragma(`max_page_count = ${pages + 10}`);
  const large = newRun({ plan: "x".repeat(1_000_000) });
  expect(() => createRun(connection, now, large)).toThrow(expect.objectContaining({ code: "WF_DISK_FULL" }));
  expect(connection.db.prepare("SELECT name FROM runs").pluck().all()).toEqual([kept]);
  connection.db.pragma("max_page_count = 1000000");
  expect(createRun(connection, now, large)).toMatch(/^lung-2-/);
  connection.close();
});

test.runIf(process.platform === "linux")("the system's own word for a full disk is understood", () => {
  const failure = () => {
    try {
      writeFileSync("/dev/full", "x");
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect(explainFailure(failure(), "wf.db")).toMatchObject({ code: "WF_DISK_FULL", where: "wf.db" });
});

test("native code that does not load is named, with what to type", () => {
  const nativeBinding = join(testFolder(), "better_sqlite3.node");
  writeFileSync(nativeBinding, "made for another machine");
  const failure = () => {
    try {
      return new SQLite(":memory:", { nativeBinding });
    } catch (error) {
      return error;
    }
  };
  expect(explainFailure(failure(), "wf.db")).toMatchObject({
    code: "WF_SQLITE_MISSING",
    message: expect.stringContaining(process.version),
    hint: expect.stringContaining("npm rebuild better-sqlite3"),
  });
});

test("an error of the caller passes through a transaction unchanged", () => {
  const connection = connect(testFolder(), local);
  const error = new Error("mine");
  expect(() =>
    connection.write(() => {
      throw error;
    }),
  ).toThrow(error);
  connection.close();
});

test("a lock that is never given up is named after the time-out", () => {
  const folder = testFolder();
  const holder = connect(folder, local);
  const waiter = connect(folder, local);
  waiter.db.pragma("busy_timeout = 1");
  holder.write(() => {
    expect(() => createRun(waiter, () => 1, newRun())).toThrow(
      expect.objectContaining({ code: "WF_STORE_OPEN", message: expect.stringContaining("locked") }),
    );
  });
  holder.close();
  waiter.close();
});
