import { statfsSync } from "node:fs";
import { chmod, lstat, open, readdir, readFile, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unfinishedName } from "../atomic-name.ts";
import { type Entry, kindOfMode, permissionsOfMode, type Status } from "../file-status.ts";
import { hashFile } from "../hash-file.ts";
import { type DiskRoom, type FileDeed, siteFileError } from "../site-file-error.ts";
import { checkedSitePath } from "../site-path.ts";
import type { FileToMove, FileToWrite } from "../transport.ts";
import { copyFile } from "./copy-file.ts";
import { makeFolders } from "./make-folders.ts";
import { isPlainFile } from "./plain-file.ts";

export const THIS_MACHINE = "this machine";

export async function readLocalFile(path: string, signal: AbortSignal): Promise<Buffer | undefined> {
  signal.throwIfAborted();
  const content = await unlessMissing("read", path, () => readFile(checkedSitePath(path)));
  signal.throwIfAborted();
  return content;
}

export async function writeLocalFile({ path, content, mode = 0o644 }: FileToWrite, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await publishLocalFile(checkedSitePath(path), async (unfinished) => {
    const file = await open(unfinished, "wx", mode);
    try {
      await file.writeFile(content);
      await file.chmod(mode);
      signal.throwIfAborted();
    } finally {
      await file.close();
    }
  });
}

export async function listLocalFolder(folder: string, signal: AbortSignal): Promise<readonly Entry[] | undefined> {
  const names = await unlessMissing("list", folder, () => readdir(checkedSitePath(folder)));
  if (names === undefined) return undefined;
  const entries = await Promise.all(
    names.map(async (name): Promise<Entry | undefined> => {
      const found = await unlessMissing("list", folder, () => lstat(join(folder, name)));
      if (found === undefined) return undefined;
      return { name, kind: kindOfMode(found.mode), sizeBytes: found.size, modifiedMs: found.mtimeMs };
    }),
  );
  signal.throwIfAborted();
  return entries.filter((entry) => entry !== undefined);
}

export async function statLocal(path: string, signal: AbortSignal): Promise<Status | undefined> {
  const found = await unlessMissing("read", path, () => lstat(checkedSitePath(path)));
  signal.throwIfAborted();
  if (found === undefined) return undefined;
  const { mode, size: sizeBytes, mtimeMs: modifiedMs } = found;
  const status = { kind: kindOfMode(mode), sizeBytes, modifiedMs, mode: permissionsOfMode(mode) };
  return status.kind === "link" ? { ...status, target: await readlink(path) } : status;
}

export async function makeLocalFolder(path: string): Promise<void> {
  await doing("write", path, () => makeFolders(checkedSitePath(path)));
}

export async function removeLocal(path: string): Promise<void> {
  await doing("remove", path, () => rm(checkedSitePath(path), { recursive: true, force: true }));
}

export async function renameLocal(from: string, to: string): Promise<void> {
  await doing("rename", from, () => rename(checkedSitePath(from), checkedSitePath(to)));
}

export async function linkLocal(path: string, target: string): Promise<void> {
  await doing("link", path, () => symlink(target, checkedSitePath(path)));
}

export async function chmodLocal(path: string, mode: number): Promise<void> {
  await doing("change the mode of", path, () => chmod(checkedSitePath(path), mode));
}

export async function hashLocalFiles(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const path of paths) {
    if (!(await isPlainFile(checkedSitePath(path)))) continue;
    const hash = await unlessMissing("read", path, () => hashFile(path, signal));
    if (hash !== undefined) hashes.set(path, hash);
  }
  return hashes;
}

/** From one file of this machine to another one: as a clone where the file system can. */
export async function copyLocal({ local: from, remote: to, mode }: FileToMove, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const wanted = mode ?? permissionsOfMode((await doing("read", from, () => stat(from))).mode);
  await publishLocalFile(to, async (unfinished) => {
    await copyFile(from, unfinished);
    await chmod(unfinished, wanted);
    signal.throwIfAborted();
  });
}

/** Gives a file its name when it is whole, and its folders when they are first missed. */
export async function publishLocalFile(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = unfinishedName(path);
  await doing("write", path, async () => {
    try {
      await write(unfinished).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        await makeFolders(dirname(path));
        await write(unfinished);
      });
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  });
}

async function unlessMissing<T>(deed: FileDeed, path: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const errno = (error as NodeJS.ErrnoException).code;
    if (errno === "ENOENT" || errno === "ENOTDIR") return undefined;
    throw named(error, deed, path);
  }
}

async function doing<T>(deed: FileDeed, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw named(error, deed, path);
  }
}

/** Errors of the system get words; what else is thrown, such as the reason of a signal, is passed on. */
function named(error: unknown, deed: FileDeed, path: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  return siteFileError(code, deed, path, THIS_MACHINE, error, code === "ENOSPC" ? roomAt(dirname(path)) : undefined);
}

function roomAt(folder: string): DiskRoom | undefined {
  try {
    const { bfree, bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: (process.getuid?.() === 0 ? bfree : bavail) * bsize, totalBytes: blocks * bsize };
  } catch {
    return folder === dirname(folder) ? undefined : roomAt(dirname(folder));
  }
}
