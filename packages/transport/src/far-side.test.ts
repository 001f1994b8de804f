import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, FarSide } from "./far-side.ts";
import { startLocalProcess } from "./local/local-process.ts";

const CONTENT = "the launcher";
const HASH = createHash("sha256").update(CONTENT).digest("hex");
const farSide = new FarSide({ python: "python3", place: "here", start: startLocalProcess });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-far-side-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Another sender of the same file gives it its name while the far side still reads it: a pipe lets the test choose when. */
async function finishBehind(other: (part: string, path: string) => void): Promise<Answer> {
  const [part, path] = [join(folder, "part"), join(folder, "file")];
  execFileSync("mkfifo", [part]);
  const request = { deed: "finish", part, path, mode: 0o644, hash: HASH };
  const answer = farSide.ask(request, "write", new AbortController().signal);
  const pipe = await open(part, "w");
  await pipe.write(CONTENT);
  other(part, path);
  await pipe.close();
  return await answer;
}

test("a file that another sender has finished meanwhile is there", async () => {
  const finished = await finishBehind((part, path) => {
    rmSync(part);
    writeFileSync(path, CONTENT);
  });
  expect(finished).toEqual({ intact: true });
});

test("what lies there instead is compared, and not taken for the file", async () => {
  const finished = await finishBehind((part, path) => {
    renameSync(part, join(folder, "away"));
    writeFileSync(path, "another launcher");
  });
  expect(finished).toEqual({ intact: false });
  expect(readdirSync(folder).sort()).toEqual(["away", "file"]);
});
