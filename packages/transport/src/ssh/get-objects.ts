import { createHash } from "node:crypto";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path/posix";
import { WfError } from "@wf/protocol";
import PQueue from "p-queue";
import { againIfLost } from "../again-if-lost.ts";
import { unfinishedName } from "../atomic-name.ts";
import { missingContent, wrongContent } from "../content-error.ts";
import { type ContentFile, checkContentFiles, type MovedObjects } from "../content-file.ts";
import type { FarSide } from "../far-side.ts";
import { hashFile } from "../hash-file.ts";
import { publishLocalFile } from "../local/local-files.ts";
import { isThere } from "../local/local-objects.ts";
import { FollowingAbort } from "../on-abort.ts";
import { LARGE_AT_ONCE, SMALL_BYTES } from "./put-objects.ts";
import type { SftpMoves } from "./sftp-moves.ts";

const WRITE_AT_ONCE = 16;
/** Of a manifest, whose size nobody notes. */
const MOST_UNKNOWN_BYTES = 512 * 1024 ** 2;

export interface GetContext {
  readonly farSide: FarSide;
  readonly moves: SftpMoves;
  readonly place: string;
}

/** Fetches what is not here: small files in one stream, large ones side by side. */
export async function getObjects(
  context: GetContext,
  root: string,
  files: readonly ContentFile[],
  signal: AbortSignal,
): Promise<MovedObjects> {
  checkContentFiles(files);
  const distinct = [...new Map(files.map((file) => [file.local, file])).values()];
  const missing = await missingHere(distinct);
  const small = missing.filter(({ sizeBytes }) => sizeBytes <= SMALL_BYTES);
  const large = missing.filter(({ sizeBytes }) => sizeBytes > SMALL_BYTES);
  const life = new FollowingAbort(signal);
  try {
    const queue = new PQueue({ concurrency: LARGE_AT_ONCE });
    await Promise.all([
      againIfLost(life.signal, async () => getSmall(context, root, await missingHere(small), life.signal)),
      ...large.map((file) => queue.add(() => getLarge(context, root, file, life.signal), { signal: life.signal })),
    ]);
  } catch (error) {
    life.abort(error);
    throw error;
  } finally {
    life.letGo();
  }
  const movedBytes = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { moved: missing.length, movedBytes, kept: files.length - missing.length };
}

async function missingHere(files: readonly ContentFile[]): Promise<readonly ContentFile[]> {
  const there = await Promise.all(files.map((file) => isThere(file.local, file)));
  return files.filter((_, index) => there[index] === false);
}

async function getSmall(
  { farSide, place }: GetContext,
  root: string,
  files: readonly ContentFile[],
  signal: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  const request = { deed: "get", root, files: files.map(({ remote }, number) => [number, remote]) };
  const talk = await farSide.talk(request, "read", signal);
  talk.stdin.end();
  const writes: Promise<void>[] = [];
  for (;;) {
    const { done, number, size, missing } = await talk.answer();
    if (done === true) break;
    const file = files.at(Number(number));
    if (file === undefined)
      throw new WfError("WF_SITE_COMMAND", "The site sends what it was not asked for", { where: place });
    const there = `${place}:${join(root, file.remote)}`;
    if (missing === true) throw missingContent(file.hash, there);
    // It is held in memory, and who made it could have said that it is small.
    if (typeof size !== "number" || size < 0 || size > (file.sizeBytes || MOST_UNKNOWN_BYTES)) {
      throw wrongContent(file.hash, there);
    }
    const content = await talk.bytes(size);
    if (createHash("sha256").update(content).digest("hex") !== file.hash) throw wrongContent(file.hash, there);
    const write = writeObject(file, content);
    write.catch(() => undefined);
    writes.push(write);
    if (writes.length >= WRITE_AT_ONCE) await writes.shift();
  }
  await Promise.all(writes);
}

async function writeObject({ local, mode }: ContentFile, content: Buffer): Promise<void> {
  await publishLocalFile(local, async (unfinished) => {
    await writeFile(unfinished, content, { flag: "wx" });
    await chmod(unfinished, mode);
  });
}

async function getLarge(
  { moves, place }: GetContext,
  root: string,
  file: ContentFile,
  signal: AbortSignal,
): Promise<void> {
  const remote = join(root, file.remote);
  const part = unfinishedName(file.local, file.hash.slice(0, 16));
  for (const isLastTry of [false, true]) {
    const isThere = await moves.fetchPart(remote, file.sizeBytes, part, signal);
    if (!isThere) throw missingContent(file.hash, `${place}:${remote}`);
    if ((await hashFile(part, signal)) === file.hash) {
      await chmod(part, file.mode);
      await rename(part, file.local);
      return;
    }
    await rm(part, { force: true });
    if (isLastTry) throw wrongContent(file.hash, `${place}:${remote}`);
  }
}
