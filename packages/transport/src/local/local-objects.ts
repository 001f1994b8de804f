import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import { missingContent, wrongContent } from "../content-error.ts";
import { type ContentFile, checkContentFiles, type MovedObjects } from "../content-file.ts";
import { permissionsOfMode } from "../file-status.ts";
import { hashFile } from "../hash-file.ts";
import { copyLocal } from "./local-files.ts";
import { isPlainFile } from "./plain-file.ts";

export type Direction = "put" | "get";

/** Content of this machine goes from one store to another, each object once. */
export async function copyObjects(
  direction: Direction,
  root: string,
  files: readonly ContentFile[],
  signal: AbortSignal,
): Promise<MovedObjects> {
  checkContentFiles(files);
  let moved = 0;
  let movedBytes = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const there = join(root, file.remote);
    const [from, to] = direction === "put" ? [file.local, there] : [there, file.local];
    if (await isThere(to, file)) continue;
    if (!(await isPlainFile(from))) throw missingContent(file.hash, from);
    if ((await hashFile(from, signal)) !== file.hash) throw wrongContent(file.hash, from);
    await copyLocal({ local: from, remote: to, mode: file.mode }, signal);
    moved += 1;
    movedBytes += file.sizeBytes;
  }
  return { moved, movedBytes, kept: files.length - moved };
}

/** A file of the right size under its own name is whole. Equal content may be asked for with more modes. */
export async function isThere(path: string, { sizeBytes, mode }: ContentFile): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.size !== sizeBytes || !found.isFile()) return false;
  const present = permissionsOfMode(found.mode);
  if ((present | mode) === present) return true;
  // Another user's in a storage that both share is replaced.
  return await chmod(path, present | mode).then(
    () => true,
    () => false,
  );
}
