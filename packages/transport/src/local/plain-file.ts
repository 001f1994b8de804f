import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { lstat } from "node:fs/promises";

/** No document of ours is larger. */
const MOST_BYTES = 256 * 1024 ** 2;

/**
 * The content of a file that somebody else may have put there, such as a task. Law: a link is not followed, a pipe is not
 * waited for, and what never ends is not read; each is refused.
 */
export function readPlainFile(path: string, mostBytes = MOST_BYTES): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw new TypeError(`${path} is not a regular file`);
    if (status.size > mostBytes) throw new RangeError(`${path} is larger than ${mostBytes} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** What is none is as if it were not there. */
export async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() === true;
}
