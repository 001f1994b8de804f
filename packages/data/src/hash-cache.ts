import type { BigIntStats } from "node:fs";

/** What changes when a file's content does. */
export interface FileStamp {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Fits a signed 64-bit column, whatever the file system says. */
  readonly inode: bigint;
}

/** The port behind which known hashes of the user's files are kept. Entries are hints: losing them costs time only. */
export interface HashCache {
  /** The hash, if the file was hashed with exactly this stamp. */
  get(stamp: FileStamp): string | undefined;
  put(entries: readonly { readonly stamp: FileStamp; readonly hash: string }[]): void;
}

/** Keeps nothing beyond the process. */
export class MemoryHashCache implements HashCache {
  readonly #entries = new Map<string, { readonly stamp: FileStamp; readonly hash: string }>();

  get(stamp: FileStamp): string | undefined {
    const entry = this.#entries.get(stamp.path);
    return entry !== undefined && isSameStamp(entry.stamp, stamp) ? entry.hash : undefined;
  }

  put(entries: readonly { readonly stamp: FileStamp; readonly hash: string }[]): void {
    for (const entry of entries) this.#entries.set(entry.stamp.path, entry);
  }
}

export function stampOf(path: string, stat: BigIntStats): FileStamp {
  return {
    path,
    size: Number(stat.size),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    inode: BigInt.asIntN(64, stat.ino),
  };
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.inode === b.inode;
}

const SETTLED_MS = 2000;

/**
 * A file that was written moments before it was hashed could be written again within the same tick of the file
 * system's clock and keep its stamp. So only a file that had been left alone for a while may be remembered.
 */
export function isSettled(stamp: FileStamp, hashedAtMs: number): boolean {
  return hashedAtMs - Number(stamp.mtimeNs / 1_000_000n) >= SETTLED_MS;
}
