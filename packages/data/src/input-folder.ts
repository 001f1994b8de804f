import { isUtf8 } from "node:buffer";
import { type Dirent, realpathSync, type Stats, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { WfError } from "@wf/protocol";
import { unreadable, unreadableError } from "./input-failure.ts";
import { isInside } from "./safe-path.ts";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
}

/** What a folder of the user's holds, sorted by name (code units). */
export async function listFolder(folder: string): Promise<readonly FolderEntry[]> {
  let entries: Dirent<Buffer>[];
  try {
    entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    throw unreadableError(folder, error);
  }
  return entries
    .map((entry): FolderEntry => {
      if (!isUtf8(entry.name)) throw notUtf8(folder, entry.name);
      const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";
      return { name: entry.name.toString(), kind };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The user's folder as a real path: absolute and without symbolic links, so that "inside" can be decided. */
export function realFolder(path: string): string {
  const real = realPath(path);
  if (!statOf(real).isDirectory()) throw unreadable(path, "", "it is a file, and a folder is wanted");
  return real;
}

/**
 * Follows a symbolic link as long as it stays inside the root: what lies elsewhere is not part of the input that
 * was named, and could be anything.
 */
export function followInside(root: string, path: string): { readonly real: string; readonly kind: "file" | "folder" } {
  const real = realPath(path);
  if (!isInside(root, real)) {
    throw new WfError("WF_PATH_ESCAPE", `${JSON.stringify(path)} leads out of the input, to ${JSON.stringify(real)}`, {
      where: root,
      hint: "Put the file itself there, or name a folder as input that holds both.",
    });
  }
  return { real, kind: statOf(real).isDirectory() ? "folder" : "file" };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw unreadableError(path, error);
  }
}

function statOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadableError(path, error);
  }
}

function notUtf8(folder: string, name: Buffer): WfError {
  const shown = JSON.stringify(name.toString("latin1"));
  return new WfError("WF_INPUT_UNREADABLE", `The name ${shown} (read as Latin-1) is not valid UTF-8`, {
    where: folder,
    hint: "Rename the file; `convmv -f latin1 -t utf8 -r --notest FOLDER` does it for a whole folder.",
  });
}
