import { relative } from "node:path";
import { printable } from "@wf/protocol";

/** As seen from the working directory, where that is shorter. */
export function shortPath(path: string, from: string = process.cwd()): string {
  const seen = relative(from, path) || ".";
  return printable(seen.length < path.length ? seen : path);
}
