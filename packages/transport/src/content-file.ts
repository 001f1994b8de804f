import { isAbsolute, normalize } from "node:path/posix";
import { WfError } from "@wf/protocol";

/** A file whose name follows from its content: equal content is moved once. */
export interface ContentFile {
  /** The sha256 of its content, in hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** On this machine, absolute. */
  readonly local: string;
  /** At the place, relative to the root of the call. */
  readonly remote: string;
  /** Of the file that is made. Where equal content is there already, it gets the modes of both. */
  readonly mode: number;
}

export interface MovedObjects {
  readonly moved: number;
  readonly movedBytes: number;
  /** What was there already. */
  readonly kept: number;
}

/** Where unfinished files lie, below the root of a call. */
export const UNFINISHED = "tmp";

/** No path leaves its root, and nothing but a hash becomes the name of an unfinished file. */
export function checkContentFiles(files: readonly ContentFile[]): void {
  for (const { hash, remote } of files) {
    const path = normalize(remote);
    if (isAbsolute(path) || path === ".." || path.startsWith("../") || path.includes("\0"))
      throw new WfError("WF_PATH_ESCAPE", `The path of an object leaves its root: ${JSON.stringify(remote)}`);
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new WfError("WF_INTERNAL", `Not a content hash: ${JSON.stringify(hash)}`);
  }
}
