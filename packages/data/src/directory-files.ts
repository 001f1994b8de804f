import { basename } from "node:path";
import type { DirectoryValue, FileValue } from "@wf/protocol";
import picomatch from "picomatch";
import { readDirectory } from "./composite-value.ts";
import type { ManifestReader } from "./value-store.ts";

/** A name may hold a newline, which `.` of a regular expression matches only if it is told to. */
const ANY_CHARACTER = { flags: "s" };

/** The directory's files in the order of their paths: all, or those that a glob such as `**\/*.png` names. */
export function directoryFiles(manifests: ManifestReader, value: DirectoryValue, glob?: string): readonly FileValue[] {
  const isWanted = glob === undefined ? () => true : picomatch(glob, ANY_CHARACTER);
  return readDirectory(manifests, value)
    .entries.filter(({ path }) => isWanted(path))
    .map(({ path, hash, size }) => ({ kind: "file", hash, size, name: basename(path) }));
}
