import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { shellQuote, WfError } from "@wf/protocol";
import { currentTruster, isTrusted, strangerOwning, type Truster } from "./trusted-owner.ts";

/** The folder that a workflow belongs to, and where its runs are kept. */
export interface Project {
  readonly root: string;
  readonly storeFolder: string;
}

const MARKS = [".wf", "sites.yaml", "package.json", ".git"];

/**
 * The project of a workflow file or of a folder: the nearest folder upwards that looks like one, else where it
 * started. The store lies in `--store`, else in what WF_STORE names, else in the project. Law: nothing of a project
 * that belongs to somebody else is used, unless WF_TRUST names it: its sites say which programs run.
 */
export function findProject(start: string, store: string | undefined, truster: Truster = currentTruster()): Project {
  const from = startingFolder(resolve(start));
  const root = nearestMarked(from) ?? from;
  refuseForeign(root, from, truster);
  const named = store ?? (truster.env.WF_STORE || undefined);
  return { root, storeFolder: named === undefined ? join(root, ".wf") : resolve(named) };
}

/** Links are followed, so that files of the project lie below its root, however it was reached. */
function startingFolder(path: string): string {
  const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function nearestMarked(folder: string): string | undefined {
  if (MARKS.some((mark) => existsSync(join(folder, mark)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestMarked(parent);
}

function refuseForeign(root: string, from: string, truster: Truster): void {
  if (isTrusted(root, truster)) return;
  for (const mark of MARKS) {
    const path = join(root, mark);
    const owner = strangerOwning(path, truster);
    if (owner === undefined) continue;
    const own =
      root === from ? "" : `; to have a project of your own here: mkdir -m 700 ${shellQuote(join(from, ".wf"))}`;
    throw new WfError(
      "WF_PROJECT_FOREIGN",
      `the project belongs to another user (${owner}), who could run programs as you`,
      {
        where: path,
        hint: `if you trust them: export WF_TRUST=${shellQuote(root)}${own}`,
      },
    );
  }
}
