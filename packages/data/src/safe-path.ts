import { isAbsolute, relative, sep } from "node:path";
import { WfError } from "@wf/core";

/** A name that is one step of a path: it can neither leave its folder nor go deeper. */
export function checkedName(name: string): string {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new WfError("WF_PATH_ESCAPE", `${JSON.stringify(name)} is not the name of a file`, {
      hint: "Use a name without slashes.",
    });
  }
  return name;
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
