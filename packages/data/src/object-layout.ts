import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Inspection, inspect, seal } from "./seals.ts";

/**
 * Where objects lie under a site's storage, and the one way in which they get there: written under `tmp/`, then
 * sealed and renamed. An object is complete as soon as it has its name, is never written again, and is read-only.
 * This file is loaded by worker threads, so it stands on Node alone.
 */
export const OBJECTS = "objects";
export const TEMPORARY = "tmp";
/** Below the storage: damaged objects, for who wants to know what became of them. */
export const QUARANTINE = "quarantine";
const PLAIN_MODE = 0o444;
const EXECUTABLE_MODE = 0o555;

export function objectPath(root: string, hash: string): string {
  return `${root}/${objectName(hash)}`;
}

/**
 * Its path below the storage of any site. Every path of an object is made here, so that whatever names one, it is one:
 * a hash with steps of a path in it would lead to any file of the user.
 */
export function objectName(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError(`not a content hash: ${JSON.stringify(hash)}`);
  return `${OBJECTS}/${hash.slice(0, 2)}/${hash}`;
}

export function objectMode(isExecutable: boolean): number {
  return isExecutable ? EXECUTABLE_MODE : PLAIN_MODE;
}

const writer = randomBytes(8).toString("hex");
let written = 0;

/** A name that no other thread, process or host uses. */
export function temporaryPath(root: string): string {
  written += 1;
  return `${root}/${TEMPORARY}/${writer}-${written}`;
}

/** Bytes whose hash is known and which are not there yet. */
export function publishBytes(root: string, hash: string, bytes: string | Uint8Array, executable: boolean): void {
  const temporary = temporaryPath(root);
  try {
    withFolder(temporary, () => writeFileSync(temporary, bytes, { flag: "wx" }));
    publishFile(root, hash, temporary, executable);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A finished temporary file becomes the object `hash`. */
export function publishFile(root: string, hash: string, temporary: string, executable: boolean): void {
  chmodSync(temporary, objectMode(executable));
  seal(temporary, hash);
  const target = objectPath(root, hash);
  withFolder(target, () => renameSync(temporary, target));
}

/**
 * Whether the object is there, and need not be published; one that is damaged has left the store. Equal content has
 * one object, so once one of its files is executable, it is.
 */
export function keepExisting(root: string, hash: string, size: number, executable: boolean): Inspection {
  const target = objectPath(root, hash);
  const found = inspect(root, target, hash, size);
  if (found === "damaged") setAside(root, hash);
  if (found === "intact" && executable && (statSync(target).mode & 0o100) === 0) chmodSync(target, EXECUTABLE_MODE);
  return found;
}

/** A damaged object leaves the store, for the place of what left it under the same name before. */
export function setAside(root: string, hash: string): void {
  const target = `${root}/${QUARANTINE}/${hash}`;
  const move = () => withFolder(target, () => renameSync(objectPath(root, hash), target));
  try {
    try {
      move();
    } catch (error) {
      if (!FOLDER_IN_THE_WAY.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      rmSync(target, { recursive: true, force: true });
      move();
    }
  } catch (error) {
    // Somebody else has done it.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** How a file is refused the place of a folder, and a folder that of a file. */
const FOLDER_IN_THE_WAY: ReadonlySet<string> = new Set(["EISDIR", "ENOTDIR", "ENOTEMPTY", "EEXIST"]);

/** Folders are made when they are first missed, so that opening a store writes nothing. */
export function withFolder(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    write();
  }
}
