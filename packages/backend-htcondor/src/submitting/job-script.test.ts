import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HtcondorSettings } from "@wf/site";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sentScript, sharedScript } from "./job-script.ts";

const PRINTS = "import os, sys\nprint(sys.argv[1:], 'PATH' in os.environ, os.path.isabs(os.environ['HOME']))\n";
const SETTINGS = HtcondorSettings.parse({ setup: ["echo set up"] });
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
  expect(stdout).toBe("set up\n['run', 'jobs/7.json', 'started/7'] True True\n");
  expect(status).toBe(0);
});

test("where the storage is not to be seen, the job says so by its status", () => {
  expect(run(sharedScript(SETTINGS, { ...place(), folder: join(folder, "absent") }), "/").status).toBe(76);
});

test("elsewhere, the launcher is started from what was sent, and the folder that returns is there", () => {
  const { stdout } = run(sentScript(SETTINGS, { ...place(), folder: "/absent" }), folder);
  expect(stdout).toBe("set up\n['away', '7.json', 'wf-returned'] True True\n");
  expect(existsSync(join(folder, "wf-returned"))).toBe(true);
});
