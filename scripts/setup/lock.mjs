import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const HEARTBEAT_MS = 5_000;
const SILENT_MS = 30_000;

/**
 * One process at a time does `work`. The lock is a folder that holds its owner's name; it appears and
 * goes by a rename, so it is never seen half made. The lock of an owner that died is moved to a name
 * made from that owner, which cannot be done twice: two that wait never take it from each other.
 */
export async function withLock(path, { onWait }, work) {
  const owner = `${process.pid}@${hostname()}@${randomUUID()}`;
  let isTold = false;
  while (!take(path, owner)) {
    if (removeIfDead(path)) continue;
    if (!isTold) onWait();
    isTold = true;
    await sleep(200);
  }
  const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), HEARTBEAT_MS);
  const release = () => {
    clearInterval(heartbeat);
    move(path, `${path}.${owner}`);
    rmSync(`${path}.${owner}`, { recursive: true, force: true });
  };
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function take(path, owner) {
  const draft = `${path}.${owner}`;
  mkdirSync(draft);
  writeFileSync(join(draft, "owner"), owner);
  const isTaken = move(draft, path);
  if (!isTaken) rmSync(draft, { recursive: true });
  return isTaken;
}

/** True if the lock is free to be taken now. */
function removeIfDead(path) {
  try {
    const owner = readFileSync(join(path, "owner"), "utf8");
    const isSilent = Date.now() - statSync(path).mtimeMs > SILENT_MS;
    return (isSilent || isDead(owner)) && move(path, `${path}.dead-${owner}`);
  } catch (error) {
    if (error.code === "ENOENT") return true;
    throw error;
  }
}

function isDead(owner) {
  const [pid, host] = owner.split("@");
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Renames a folder; false if the target is there and not empty, or the source is gone. */
function move(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code)) return false;
    throw error;
  }
}
