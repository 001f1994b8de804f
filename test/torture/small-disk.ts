import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const PAGE_BYTES = 4096;
const MEGABYTES = 24;

/** A file system of its own, small enough to be filled. */
export interface SmallDisk {
  /** Leaves so many pages free. */
  fill(pages: number): void;
  makeRoom(): void;
  /** While it is, not even a reader can open a database on it. */
  isFull(): boolean;
  unmount(): void;
}

/** Whether this process may mount one. */
export function canMount(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0;
}

/** At this path. Undefined where the system refuses, as it does in some containers. */
export function mountSmallDisk(path: string): SmallDisk | undefined {
  mkdirSync(path, { recursive: true });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES}m,mode=777`, "tmpfs", path]);
  if (mounted.status !== 0) return undefined;
  const filler = join(path, "filler");
  return {
    fill(pages) {
      const room = join(path, "room");
      try {
        writeFileSync(room, Buffer.alloc(pages * PAGE_BYTES));
        const file = openSync(filler, "w");
        try {
          for (;;) writeSync(file, Buffer.alloc(PAGE_BYTES));
        } finally {
          closeSync(file);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        rmSync(room, { force: true });
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    isFull: () => existsSync(filler),
    unmount: () => spawnSync("umount", ["-l", path]),
  };
}
