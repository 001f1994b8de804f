import { constants, copyFile as copyWhole, type FileHandle, open, stat } from "node:fs/promises";
import { CHUNK_BYTES, cannotClone, hasHoles, isHole } from "../sparse/index.ts";

/**
 * A new file with the content and the mode of another one: as a clone where the file system can. A file with holes keeps
 * them, so that it takes no more room than the first one. Fails where the name is taken.
 */
export async function copyFile(from: string, to: string): Promise<void> {
  const status = await stat(from);
  if (!hasHoles(status)) {
    await copyWhole(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return;
  }
  try {
    await copyWhole(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
  } catch (error) {
    if (!cannotClone(error)) throw error;
    await copyAroundHoles(from, to, status.mode);
  }
}

async function copyAroundHoles(from: string, to: string, mode: number): Promise<void> {
  const reader = await open(from, "r");
  try {
    const writer = await open(to, "wx", mode);
    try {
      await writer.truncate(await copyData(reader, writer));
      await writer.chmod(mode);
    } finally {
      await writer.close();
    }
  } finally {
    await reader.close();
  }
}

async function copyData(reader: FileHandle, writer: FileHandle): Promise<number> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await reader.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return position;
    const data = chunk.subarray(0, bytesRead);
    if (!isHole(data)) await writeAt(writer, data, position);
    position += bytesRead;
  }
}

async function writeAt(writer: FileHandle, data: Buffer, position: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    done += (await writer.write(data, done, data.length - done, position + done)).bytesWritten;
  }
}
