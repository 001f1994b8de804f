import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path/posix";
import { sha256 } from "@wf/protocol";

/**
 * A name beside a file, for what is not whole yet. With the same tag it is the same name, so that an upload can go on.
 * It does not hold the file's own name, which may already be as long as a name can be.
 */
export function unfinishedName(path: string, tag: string = randomBytes(8).toString("hex")): string {
  return join(dirname(path), `.wf-${sha256(basename(path)).slice(0, 16)}-${tag}.part`);
}
