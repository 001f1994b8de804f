import { isAbsolute, join, relative, sep } from "node:path";
import { isPlainName, WfError } from "@wf/protocol";

const MOST_SHOWN = 80;

/** A name that is one step of a path: it can neither leave its folder nor go deeper. */
export function checkedName(name: string): string {
  if (isPlainName(name)) return name;
  const shown = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name;
  throw new WfError("WF_PATH_ESCAPE", `${JSON.stringify(shown)} is not the name of a file`, {
    hint: "Use a name without slashes, of 255 bytes at most.",
  });
}

/** The one way from a folder and a name that somebody else chose to a path. */
export function pathIn(folder: string, name: string): string {
  return join(folder, checkedName(name));
}

/** A relative path of such names. */
export function checkedRelative(path: string): string {
  for (const name of path.split("/")) checkedName(name);
  return path;
}

/** Both absolute and free of symbolic links. A folder is inside itself. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
