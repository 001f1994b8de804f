import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isNestedWithin, MOST_NESTED_DOCUMENT } from "@wf/protocol";
import { unfinishedName } from "../atomic-name.ts";
import { readPlainFile } from "./plain-file.ts";

export interface DocumentOptions {
  /** Throws EEXIST instead of replacing what is there. Default: false. */
  readonly isNew?: boolean;
}

/**
 * The one way in which a file of this machine becomes a document.
 * Law: it is there whole or not at all, and what it replaces stays until then, also when the disk is full.
 */
export function writeDocument(path: string, content: string | Uint8Array, options: DocumentOptions = {}): void {
  const unfinished = unfinishedName(path);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(unfinished, content, { flag: "wx" });
    if (options.isNew === true) linkSync(unfinished, path);
    else renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/**
 * What a JSON document says; undefined if there is none. One that is not whole was left by a disk that filled up or by
 * a power cut, and is as if it were not there. So is what is no document at all: tasks can write where some of them lie.
 */
export function readDocument(path: string): unknown {
  try {
    const document: unknown = JSON.parse(readPlainFile(path).toString("utf8"));
    return isNestedWithin(MOST_NESTED_DOCUMENT, document) ? document : undefined;
  } catch {
    return undefined;
  }
}
