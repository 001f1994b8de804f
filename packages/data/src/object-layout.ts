import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Where objects lie under a site's storage, and the one way in which they get there: written under `tmp/`, then
 * renamed. An object is complete as soon as it has its name, is never written again, and is read-only.
 * This file is loaded by worker threads, so it stands on Node alone.
 */
export const OBJECTS = "objects";
export const TEMPORARY = "tmp";
const PLAIN_MODE = 0o444;
const EXECUTABLE_MODE = 0o555;

export function objectPath(root: string, hash: string): string {
  return `${root}/${objectName(hash)}`;
}

/** Its path below the storage of any site. */
export function objectName(hash: string): string {
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
    giveName(root, hash, temporary, executable);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A finished temporary file becomes the object `hash`; if that exists already, ours is dropped. */
export function publishFile(root: string, hash: string, size: number, temporary: string, executable: boolean): void {
  if (keepExisting(root, hash, size, executable)) rmSync(temporary, { force: true });
  else giveName(root, hash, temporary, executable);
}

function giveName(root: string, hash: string, temporary: string, executable: boolean): void {
  chmodSync(temporary, objectMode(executable));
  const target = objectPath(root, hash);
  withFolder(target, () => renameSync(temporary, target));
}

/**
 * Whether the object is there, whole; one that a power cut left short is not, and is published again. Equal content
 * has one object, so once one of its files is executable, it is.
 */
export function keepExisting(root: string, hash: string, size: number, executable: boolean): boolean {
  const target = objectPath(root, hash);
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined || stat.size !== size) return false;
  if (executable && (stat.mode & 0o100) === 0) chmodSync(target, EXECUTABLE_MODE);
  return true;
}

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
