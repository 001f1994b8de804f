import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HtcondorSettings } from "@wf/site";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sentScript, sharedScript } from "./job-script.ts";

const PRINTS = [
  "import os, sys",
  "said = lambda name: dict(entry.split('=', 1) for entry in os.environ[name].split('\\1') if entry)",
  "before, after = said('WF_SETUP_BEFORE'), said('WF_SETUP_AFTER')",
  "print(sys.argv[1:], 'PATH' in before, os.path.isabs(before['HOME']), before.get('X'), after['X'])\n",
].join("\n");
const SETTINGS = HtcondorSettings.parse({ setup: ["echo set up", "export X=set"] });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `wf it's a "folder" `));
  const launcher = join(folder, "launcher");
  mkdirSync(launcher);
  writeFileSync(join(launcher, "__main__.py"), PRINTS);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As HTCondor does: with nothing in the environment. */
function run(script: string, cwd: string) {
  return spawnSync("/bin/sh", ["-s", "7"], { input: script, env: {}, cwd, encoding: "utf8" });
}

const place = () => ({ folder, python: "/usr/bin/python3", launcher: join(folder, "launcher") });

test("on the storage, the launcher runs job N and makes its marker", () => {
  const { stdout, status } = run(sharedScript(SETTINGS, place()), "/");
  expect(stdout).toBe("set up\n['run', 'jobs/7.json', 'started/7'] True True None set\n");
  expect(status).toBe(0);
});

test("where the storage is not to be seen, the job says so by its status", () => {
  expect(run(sharedScript(SETTINGS, { ...place(), folder: join(folder, "absent") }), "/").status).toBe(76);
});

test("elsewhere, the launcher is started from what was sent, and the folder that returns is there", () => {
  const { stdout } = run(sentScript(SETTINGS, { ...place(), folder: "/absent" }), folder);
  expect(stdout).toBe("set up\n['away', '7.json', 'wf-returned'] True True None set\n");
  expect(existsSync(join(folder, "wf-returned"))).toBe(true);
});
