import { realpathSync } from "node:fs";
import { join } from "node:path";
import { unreadable } from "./input-failure.ts";
import { followInside, listFolder } from "./input-folder.ts";

export interface WalkedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly source: string;
}

export interface WalkOptions {
  /** Files and folders that are left out, by their path relative to the root. */
  readonly isIgnored?: (path: string) => boolean;
  /** A folder that is never an input, wherever it lies: the store itself. */
  readonly storeRoot: string;
  readonly signal: AbortSignal | undefined;
}

/** Every file below the root (a real path), sorted by path (code units). Folders without files leave no trace. */
export async function walkFolder(root: string, options: WalkOptions): Promise<readonly WalkedFile[]> {
  const found: WalkedFile[] = [];
  const store = realIfThere(options.storeRoot);

  /** `above` holds the real paths of the folders on the way down: a link to one of them would never end. */
  async function walk(prefix: string, real: string, above: ReadonlySet<string>): Promise<void> {
    options.signal?.throwIfAborted();
    if (real === store) return;
    const here = new Set(above).add(real);
    for (const entry of await listFolder(real)) {
      const path = prefix + entry.name;
      const source = join(real, entry.name);
      if (options.isIgnored?.(path)) continue;
      const target = entry.kind === "link" ? followInside(root, source) : { real: source, kind: entry.kind };
      if (target.kind === "file") {
        found.push({ path, source });
      } else {
        if (here.has(target.real)) throw unreadable(source, "ELOOP", "");
        await walk(`${path}/`, target.real, here);
      }
    }
  }

  await walk("", root, new Set());
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function realIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
