import { realpathSync } from "node:fs";
import { join } from "node:path";
import { MOST_DEEP, WfError } from "@wf/protocol";
import { unreadable } from "./input-failure.ts";
import { followInside, listFolder } from "./input-folder.ts";

export interface WalkedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly source: string;
}

export interface WalkedFolder {
  readonly files: readonly WalkedFile[];
  /** Folders that hold nothing at all, relative to the root. The root itself is not among them. */
  readonly emptyFolders: readonly string[];
}

export interface WalkOptions {
  /** Files and folders that are left out, by their path relative to the root. */
  readonly isIgnored?: (path: string) => boolean;
  /** A folder that is never an input, wherever it lies: the store itself. */
  readonly storeRoot: string;
  readonly signal: AbortSignal | undefined;
}

/** Every file below the root (a real path), sorted by path (code units), and the folders that hold nothing. */
export async function walkFolder(root: string, options: WalkOptions): Promise<WalkedFolder> {
  const files: WalkedFile[] = [];
  const emptyFolders: string[] = [];
  const store = realIfThere(options.storeRoot);

  /** `above` holds the real paths of the folders on the way down: a link to one of them would never end. */
  async function walk(prefix: string, real: string, above: ReadonlySet<string>): Promise<void> {
    options.signal?.throwIfAborted();
    if (real === store) return;
    const here = new Set(above).add(real);
    const entries = await listFolder(real);
    if (entries.length === 0 && prefix !== "") emptyFolders.push(prefix.slice(0, -1));
    for (const entry of entries) {
      const path = prefix + entry.name;
      const source = join(real, entry.name);
      if (options.isIgnored?.(path)) continue;
      const target = entry.kind === "link" ? followInside(root, source) : { real: source, kind: entry.kind };
      if (target.kind === "file") {
        files.push({ path, source });
      } else {
        if (here.has(target.real)) throw unreadable(source, "ELOOP", "");
        if (here.size === MOST_DEEP) throw tooDeep(root);
        await walk(`${path}/`, target.real, here);
      }
    }
  }

  await walk("", root, new Set());
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), emptyFolders };
}

function tooDeep(root: string): WfError {
  return new WfError("WF_INPUT_UNREADABLE", `The folders in ${JSON.stringify(root)} lie more than ${MOST_DEEP} deep`, {
    where: root,
    hint: "Look for a program that made folders in a loop, or pack them: tar -cf data.tar FOLDER",
  });
}

function realIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
