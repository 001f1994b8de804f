import { expect, test } from "vitest";
import { TaskRecord } from "../records/record.ts";
import { unmeasuredRecord } from "../records/unmeasured-record.ts";
import { DatasetManifest, DirectoryManifest, Manifest } from "./manifest.ts";
import { sha256 } from "./sha256.ts";

const hash = sha256("content");
const BAD_NAMES = ["", ".", "..", "a/b", "m/../../.bashrc", "/etc/passwd", "a\0", "x".repeat(256)];
const BAD_HASHES = ["", "../home/.ssh/id_rsa", hash.slice(1), `${hash}\n`, hash.toUpperCase()];

const directory = (entry: object, folders?: readonly string[]) => ({
  kind: "directory",
  entries: [{ path: "a/b", hash, size: 1, ...entry }],
  ...(folders === undefined ? {} : { folders }),
});
const dataset = (cell: unknown, column = "image") => ({
  kind: "dataset",
  columns: { [column]: "file", label: "value" },
  rows: [{ [column]: cell, label: "../any text" }],
});
const cell = { hash, size: 1, name: "1.png" };

test("manifests of honest content fit", () => {
  expect(Manifest.safeParse(directory({}, ["c"])).success).toBe(true);
  expect(Manifest.safeParse(dataset(cell)).success).toBe(true);
});

test.each([...BAD_NAMES.filter((name) => name !== "a/b"), "a//b", "a/", "./a"])(
  "a directory has no path %j",
  (path) => {
    expect(DirectoryManifest.safeParse(directory({ path })).success).toBe(false);
    expect(DirectoryManifest.safeParse(directory({}, [path])).success).toBe(false);
  },
);

test("a directory has each path once", () => {
  const { entries, ...rest } = directory({});
  expect(DirectoryManifest.safeParse({ ...rest, entries: [...entries, ...entries] }).success).toBe(false);
});

test.each(BAD_NAMES)("a dataset has no file and no column %j", (name) => {
  expect(DatasetManifest.safeParse(dataset({ ...cell, name })).success).toBe(false);
  expect(DatasetManifest.safeParse(dataset(cell, name)).success).toBe(false);
});

test.each(BAD_HASHES)("no manifest leads to %j", (wrong) => {
  expect(Manifest.safeParse(directory({ hash: wrong })).success).toBe(false);
  expect(Manifest.safeParse(dataset({ ...cell, hash: wrong })).success).toBe(false);
  const items = [{ kind: "file", hash: wrong, size: 1, name: "a" }];
  expect(Manifest.safeParse({ kind: "list", items }).success).toBe(false);
});

test.each([undefined, null, "1.png", [], {}])("a file of a dataset is not %j", (wrong) => {
  expect(DatasetManifest.safeParse(dataset(wrong)).success).toBe(false);
});

const attempt = { run: "r1", job: "j", task: "t", attempt: "t@1", host: "n", startedAt: 1, endedAt: 2 };
const record = unmeasuredRecord(attempt, null);

test.each(BAD_NAMES)("no record names a file %j", (name) => {
  const file = { kind: "file", hash, size: 1, name };
  const picture = { name: "p", step: null, path: "p.png", file };
  expect(TaskRecord.safeParse({ ...record, outputs: { m: { ...file, name: "m" } } }).success).toBe(true);
  expect(TaskRecord.safeParse({ ...record, outputs: { m: file } }).success).toBe(false);
  expect(TaskRecord.safeParse({ ...record, outputs: { m: { kind: "list", items: [file] } } }).success).toBe(false);
  expect(TaskRecord.safeParse({ ...record, checkpoint: file }).success).toBe(false);
  expect(TaskRecord.safeParse({ ...record, pictures: [picture] }).success).toBe(false);
  expect(TaskRecord.safeParse({ ...record, attempt: name }).success).toBe(false);
});

test("a record has a failure where it failed, and nowhere else", () => {
  const failure = { class: "exit", message: "no" };
  expect(TaskRecord.safeParse({ ...record, failure }).success).toBe(false);
  expect(TaskRecord.safeParse({ ...record, state: "failed" }).success).toBe(false);
  expect(TaskRecord.safeParse({ ...record, state: "failed", failure }).success).toBe(true);
});
