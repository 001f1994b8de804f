import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { modeOfNewFolder } from "../new-folder-mode.ts";

/** A folder with those above it. Those that are made are private, or shared as the one that they are made in. */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await makeFolders(path);
    return;
  }
  const mode = modeOfNewFolder((await stat(dirname(path))).mode);
  if (mode !== undefined) await chmod(path, mode);
}
