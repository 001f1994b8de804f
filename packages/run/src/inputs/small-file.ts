import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const MOST_BYTES = 16 * 1024 ** 2;
const CHUNK_BYTES = 64 * 1024;

/**
 * The text of a file that people write: settings, parameters, requirements. What never ends, or is no such file, is
 * refused instead of read: devices, folders, and files that are larger than anybody writes. A pipe is read only where
 * somebody may hand one over, as `--params <(…)` does: otherwise nobody may ever write to it.
 */
export function readSmallFile(path: string, from: "file" | "file or pipe" = "file"): string {
  return readUntil(path, from === "file or pipe", () => false);
}

/** The first line of a file that may be long, without its end. */
export function readFirstLine(path: string): string {
  const text = readUntil(path, false, (chunk) => chunk.includes("\n"));
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

/** What is read until the file ends, or a chunk is the last one that is wanted. */
function readUntil(path: string, mayBePipe: boolean, isLast: (chunk: Buffer) => boolean): string {
  const file = openSync(path, constants.O_RDONLY | (mayBePipe ? 0 : constants.O_NONBLOCK));
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) throw new Error(`${path} is a folder`);
    if (!status.isFile() && !(mayBePipe && status.isFIFO())) throw new Error(`${path} is not a regular file`);
    const chunks: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const count = readSync(file, chunk, 0, CHUNK_BYTES, null);
      chunks.push(chunk.subarray(0, count));
      if (count === 0 || isLast(chunk.subarray(0, count))) return Buffer.concat(chunks).toString("utf8");
      bytes += count;
      if (bytes > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES} bytes`);
    }
  } finally {
    closeSync(file);
  }
}
