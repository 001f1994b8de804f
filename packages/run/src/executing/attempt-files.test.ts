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
