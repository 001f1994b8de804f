import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, utimesSync } from "node:fs";

/**
 * A cheap note of which objects are known to be what their name says: their time of modification, made of the hash and
 * of the boot of the machine. The launcher's `seals.py` says why, and judges the same (docs/decisions/0028).
 * This file is loaded by worker threads, so it stands on Node alone.
 */
const BASE_SECONDS = 0x20000000;
const MASK = 0x1ffffffe;
const SECOND_NS = 1_000_000_000n;
const READ_BYTES = 1 << 20;
const DURABLE = 0;
/** Below a site's storage: a file for each boot, which says until when all that was written in it was synced. */
export const SYNCED = "synced";

export const THIS_BOOT = bootNumber();

/** Seals a file that was hashed. That of another user cannot be, and who comes next hashes it again. */
export function seal(path: string, hash: string): void {
  const seconds = BASE_SECONDS + ((hashNumber(hash) ^ THIS_BOOT) & MASK);
  try {
    utimesSync(path, seconds, seconds);
  } catch (error) {
    if (!["EPERM", "EACCES", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

export type Inspection = "intact" | "missing" | "damaged";

/** Looks at an object, and reads it if it has no seal. `size`: null where it is not known. */
export function inspect(root: string, path: string, hash: string, size: number | null): Inspection {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return "missing";
  // A link may lead anywhere, and a pipe would be waited for.
  if (!found.isFile()) return "damaged";
  // Who says how large it is may be wrong, and then there is no such object.
  if (size !== null && found.size !== BigInt(size)) return hashOf(path) === hash ? "missing" : "damaged";
  if (isSealed(root, found, hash)) return "intact";
  if (hashOf(path) !== hash) return "damaged";
  seal(path, hash);
  return "intact";
}

function isSealed(root: string, found: { readonly mtimeNs: bigint; readonly ctimeNs: bigint }, hash: string): boolean {
  const seconds = Number(found.mtimeNs / SECOND_NS) - BASE_SECONDS;
  if (found.mtimeNs % SECOND_NS !== 0n || seconds < 0 || seconds > MASK) return false;
  const boot = (seconds ^ hashNumber(hash)) & MASK;
  if (boot === DURABLE || boot === THIS_BOOT) return true;
  return found.ctimeNs < (syncedIn(root).get(boot) ?? 0n);
}

const syncedByRoot = new Map<string, ReadonlyMap<number, bigint>>();

/** Earlier boots are over: what is known of them does not change. */
function syncedIn(root: string): ReadonlyMap<number, bigint> {
  let known = syncedByRoot.get(root);
  if (known === undefined) {
    known = new Map(
      namesIn(`${root}/${SYNCED}`).map((name) => [Number.parseInt(name, 16), timeIn(`${root}/${SYNCED}/${name}`)]),
    );
    syncedByRoot.set(root, known);
  }
  return known;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function timeIn(file: string): bigint {
  const text = readFileSync(file, "utf8");
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}

/** A disk that cannot read a file has damaged it. */
function hashOf(path: string): string | undefined {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
        digest.update(buffer.subarray(0, read));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EIO") return undefined;
    throw error;
  }
  return digest.digest("hex");
}

function hashNumber(hash: string): number {
  return Number.parseInt(hash.slice(0, 8), 16);
}

/** Never that of no boot. Where the system does not tell, all boots are one. */
function bootNumber(): number {
  let id = "2";
  try {
    id = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    // Not Linux.
  }
  return Number.parseInt(id.slice(0, 8), 16) & MASK || 2;
}
