import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const LOCK_MODULE = fileURLToPath(new URL("../../scripts/setup/lock.mjs", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Takes the lock in a process of its own, and notes when it came in and when it went out. */
function contend(work = ""): Promise<number | null> {
  const script = `
    import { appendFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    import { withLock } from ${JSON.stringify(LOCK_MODULE)};
    const note = (what) => appendFileSync("ledger", what + " " + process.pid + "\\n");
    await withLock("lock", { onWait() {} }, async () => { note("in"); ${work} await sleep(20); note("out"); });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, stdio: "ignore" });
  return new Promise((resolve) => child.on("close", resolve));
}

function ledger(): string[] {
  return readFileSync(join(folder, "ledger"), "utf8").trim().split("\n");
}

test("one at a time, though the last owner died with the lock", async () => {
  mkdirSync(join(folder, "lock"));
  writeFileSync(join(folder, "lock/owner"), `999999999@${hostname()}@gone`);
  expect(await Promise.all(Array.from({ length: 6 }, () => contend()))).toEqual([0, 0, 0, 0, 0, 0]);

  const lines = ledger();
  expect(lines).toHaveLength(12);
  for (let index = 0; index < lines.length; index += 2) {
    expect(lines[index + 1]).toBe(lines[index]?.replace("in", "out"));
  }
});

test("an owner that fails or is killed leaves nothing that blocks the next", async () => {
  expect(await contend("process.exit(3);")).toBe(3);
  expect(readdirSync(folder)).toEqual(["ledger"]);
  expect(await contend('process.kill(process.pid, "SIGKILL"); await sleep(60_000);')).toBe(null);
  expect(await contend()).toBe(0);
  expect(ledger().filter((line) => line.startsWith("out"))).toHaveLength(1);
});
