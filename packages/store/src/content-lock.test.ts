import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContentLock } from "./content-lock.ts";

const LAUNCHER = fileURLToPath(new URL("../../../runtimes/launcher", import.meta.url));
/** Holds the lock as the launcher does, until its stdin ends. */
const HOLDER = `
import sys
sys.path.insert(0, ${JSON.stringify(LAUNCHER)})
from wf_launcher.content_lock import ContentLock
lock = ContentLock(sys.argv[1])
lock.hold()
print("held", flush=True)
sys.stdin.read()
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the lock of a store's content", () => {
  it("is held by many, or claimed by one", async () => {
    const [first, second, third] = [new ContentLock(folder), new ContentLock(folder), new ContentLock(folder)];
    await first.hold(() => expect.unreachable());
    await second.hold(() => expect.unreachable());
    expect(third.claim()).toBe(false);
    first.release();
    expect(third.claim()).toBe(false);
    second.release();
    expect(third.claim()).toBe(true);
    third.release();
  });

  it("makes who comes wait for who removes, with a word", async () => {
    const [remover, run] = [new ContentLock(folder), new ContentLock(folder)];
    expect(remover.claim()).toBe(true);
    await run.hold(() => remover.release());
    const other = new ContentLock(folder);
    expect(other.claim()).toBe(false);
    run.release();
    other.release();
  });

  it("is held by the launcher, too, and goes with its process", async () => {
    const holder = spawn("python3", ["-B", "-c", HOLDER, folder], { stdio: ["pipe", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    const lock = new ContentLock(folder);
    expect(lock.claim()).toBe(false);
    const other = new ContentLock(folder);
    await other.hold(() => expect.unreachable());
    other.release();
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(lock.claim()).toBe(true);
    lock.release();
  });
});
