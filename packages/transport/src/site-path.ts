import { isAbsolute } from "node:path/posix";
import { WfError } from "@wf/protocol";

/** Paths of a site are absolute, so that nothing depends on where a command happens to start. */
export function checkedSitePath(path: string): string {
  if (!isAbsolute(path) || path.includes("\0"))
    throw new WfError("WF_INTERNAL", `Not an absolute path: ${JSON.stringify(path)}`);
  return path;
}
