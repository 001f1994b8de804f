import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AttemptFiles } from "./attempt-files.ts";

let storage: string;
beforeAll(() => {
  storage = mkdtempSync(join(tmpdir(), "wf-attempt-files-"));
});
afterAll(() => rmSync(storage, { recursive: true, force: true }));

it("an attempt whose command.json a full disk left empty cannot be repeated, and is no bug", () => {
  const files = new AttemptFiles(storage, "run-1", "a@1");
  mkdirSync(join(files.folder, "sandbox"), { recursive: true });
  writeFileSync(join(files.folder, "command.json"), "");
  expect(files.repeatCommand).toBeNull();
  writeFileSync(join(files.folder, "command.json"), '{"argv":["true"],"env":{},"secrets":[]}');
  expect(files.repeatCommand).toBe(`cd ${join(files.folder, "sandbox")} && true`);
});

it.each([
  "[]",
  '{"argv":5}',
  '{"argv":["true"],"env":{"A":7},"secrets":[]}',
  '{"argv":["true"],"env":{},"secrets":["A;touch planted;B"]}',
  '{"argv":["true"],"env":{},"secrets":["A}$(touch planted)"]}',
  `{"argv":["true"],"env":{},"secrets":[],"path":${"[".repeat(9e4)}${"]".repeat(9e4)}}`,
])("what a task wrote in the place of its command.json is no line to paste, and no bug: %.60s", (text) => {
  const files = new AttemptFiles(storage, "run-1", "b@1");
  mkdirSync(join(files.folder, "sandbox"), { recursive: true });
  writeFileSync(join(files.folder, "command.json"), text);
  expect(files.repeatCommand).toBeNull();
});

it("an attempt whose place.json is none lies here", () => {
  const files = new AttemptFiles(storage, "run-1", "c@1");
  mkdirSync(files.folder, { recursive: true });
  writeFileSync(join(files.folder, "place.json"), '{"host":["a"]}');
  expect(files.sandbox).toBeNull();
});
