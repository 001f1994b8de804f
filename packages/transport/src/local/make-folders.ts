import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * A folder with those above it. Node's own says ENOENT where a folder cannot be made for another reason, as on a
 * read-only file system: the reason is found by making the first that is missing, alone.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFirstMissing(path);
    throw error;
  }
}

async function makeFirstMissing(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeFirstMissing(dirname(path));
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
