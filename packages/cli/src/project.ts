import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder that a workflow belongs to, and where its runs are kept. */
export interface Project {
  readonly root: string;
  readonly storeFolder: string;
}

const MARKS = [".wf", "sites.yaml", "package.json", ".git"];

/**
 * The project of a workflow file or of a folder: the nearest folder upwards that looks like one, else where it
 * started. The store lies in `--store`, else in what WF_STORE names, else in the project.
 */
export function findProject(start: string, store: string | undefined, env: NodeJS.ProcessEnv = process.env): Project {
  const from = startingFolder(resolve(start));
  const root = nearestMarked(from) ?? from;
  const named = store ?? (env.WF_STORE || undefined);
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
