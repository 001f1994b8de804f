import { open } from "node:fs/promises";
import type { OpenMode } from "ssh2";
import { isHole } from "../sparse/index.ts";
import type { SftpSession } from "./sftp-session.ts";

const CHUNK_BYTES = 64 * 1024;
/** With the chunks, two megabytes on their way: enough for a long line, little enough for a thin one. */
const IN_FLIGHT = 32;

export interface Stretch {
  readonly local: string;
  readonly handle: Buffer;
  /** Where both files go on. */
  readonly fromByte: number;
  readonly toByte: number;
  readonly signal: AbortSignal;
}

/** Opens a file, and closes it whatever happens: a server has only so many to give. */
export async function withFile<T>(
  session: SftpSession,
  path: string,
  flags: OpenMode | number,
  mode: number,
  work: (handle: Buffer) => Promise<T>,
): Promise<T> {
  const handle = await session.call<Buffer>((sftp, done) => sftp.open(path, flags, { mode }, done));
  let result: T;
  try {
    result = await work(handle);
  } catch (error) {
    await session.call((sftp, done) => sftp.close(handle, done)).catch(() => undefined);
    throw error;
  }
  await session.call((sftp, done) => sftp.close(handle, done));
  return result;
}

/**
 * Sends a stretch of a file, many questions at a time. What is nothing but zeros is not sent: the file is made longer.
 * Law: they are asked in the order of the file, and a server answers in the order in which it is asked. So whenever it
 * ends, what has arrived is one piece with nothing missing, and its length says where to go on.
 */
export async function sendStretch(session: SftpSession, stretch: Stretch): Promise<void> {
  const { local, handle, fromByte, toByte, signal } = stretch;
  const file = await open(local, "r");
  const inFlight: Promise<void>[] = [];
  try {
    for (let at = fromByte; at < toByte; ) {
      signal.throwIfAborted();
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, toByte - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, at);
      if (bytesRead === 0) throw new Error(`${local} became shorter while it was sent`);
      const position = at;
      const sent = session.call<void>((sftp, done) => {
        if (isHole(buffer.subarray(0, bytesRead))) sftp.fsetstat(handle, { size: position + bytesRead }, done);
        else sftp.write(handle, buffer, 0, bytesRead, position, done);
      });
      sent.catch(() => undefined);
      inFlight.push(sent);
      at += bytesRead;
      if (inFlight.length >= IN_FLIGHT) await inFlight.shift();
    }
    await Promise.all(inFlight);
  } finally {
    await file.close();
  }
}

/**
 * Fetches a stretch of a file. It is written here in its order, so that the same law holds; what is nothing but zeros
 * becomes a hole, and takes no room.
 */
export async function fetchStretch(session: SftpSession, stretch: Stretch): Promise<void> {
  const { local, handle, fromByte, toByte, signal } = stretch;
  const file = await open(local, "a");
  const inFlight: Promise<Buffer>[] = [];
  let length = fromByte;
  const takeFirst = async () => {
    const bytes = (await inFlight.shift()) ?? Buffer.alloc(0);
    length += bytes.length;
    if (isHole(bytes)) await file.truncate(length);
    else await file.writeFile(bytes);
  };
  try {
    for (let at = fromByte; at < toByte; at += CHUNK_BYTES) {
      signal.throwIfAborted();
      const fetched = readExactly(session, handle, at, Math.min(CHUNK_BYTES, toByte - at));
      fetched.catch(() => undefined);
      inFlight.push(fetched);
      if (inFlight.length >= IN_FLIGHT) await takeFirst();
    }
    while (inFlight.length > 0) await takeFirst();
  } finally {
    await file.close();
  }
}

export async function readExactly(session: SftpSession, handle: Buffer, at: number, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const from = done;
    const count = await session.call<number>((sftp, answer) =>
      sftp.read(handle, buffer, from, size - from, at + from, (error, bytesRead) => answer(error, bytesRead)),
    );
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}
