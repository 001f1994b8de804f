import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path/posix";
import { sha256, WfError } from "@wf/protocol";
import type { Stats } from "ssh2";
import { unfinishedName } from "../atomic-name.ts";
import type { FarSide } from "../far-side.ts";
import { kindOfMode, permissionsOfMode } from "../file-status.ts";
import { hashFile } from "../hash-file.ts";
import { siteFileError } from "../site-file-error.ts";
import { checkedSitePath } from "../site-path.ts";
import type { FileToMove } from "../transport.ts";
import type { SftpFiles } from "./sftp-files.ts";
import { fetchStretch, sendStretch, withFile } from "./sftp-stream.ts";

/** Write, and create where there is none; never truncate, for what is there is gone on with. */
const WRITE_OR_CREATE = 0x02 | 0x08;
const TRIES = 2;

/** Large files over SFTP, which go on where a cut has left them. */
export class SftpMoves {
  readonly #files: SftpFiles;
  readonly #farSide: FarSide;
  readonly #place: string;

  constructor(files: SftpFiles, farSide: FarSide, place: string) {
    this.#files = files;
    this.#farSide = farSide;
    this.#place = place;
  }

  async upload({ local, remote, mode }: FileToMove, signal: AbortSignal): Promise<void> {
    checkedSitePath(remote);
    const found = await localStatus(local);
    const hash = await hashFile(local, signal);
    const part = unfinishedName(remote, hash.slice(0, 16));
    for (let tries = 1; tries <= TRIES; tries += 1) {
      await this.sendPart(local, found.size, part, signal);
      const request = { deed: "finish", part, path: remote, mode: mode ?? permissionsOfMode(found.mode), hash };
      const { intact } = await this.#farSide.ask(request, "write", signal);
      if (intact === true) return;
    }
    throw changedWhileMoved(local);
  }

  async download({ local, remote, mode }: FileToMove, signal: AbortSignal): Promise<void> {
    const found = await this.#files.stat(remote, signal);
    if (found === undefined) throw siteFileError("ENOENT", "read", remote, this.#place);
    const part = unfinishedName(local, sha256(`${remote}\0${found.sizeBytes}\0${found.modifiedMs}`).slice(0, 16));
    for (let tries = 1; tries <= TRIES; tries += 1) {
      await this.fetchPart(remote, found.sizeBytes, part, signal);
      const wanted = await this.sha256([remote], signal);
      if ((await hashFile(part, signal)) === wanted.get(remote)) {
        await chmod(part, mode ?? found.mode);
        await rename(part, local);
        return;
      }
      await rm(part, { force: true });
    }
    throw changedWhileMoved(`${this.#place}:${remote}`);
  }

  async sha256(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    if (paths.length === 0) return new Map();
    const request = { deed: "sha256", paths: paths.map(checkedSitePath) };
    const { hashes } = await this.#farSide.ask(request, "read", signal);
    const found = paths.map((path, index) => [path, (hashes as (string | null)[])[index]] as const);
    return new Map(found.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  }

  /** Sends what is missing of an unfinished file. */
  async sendPart(local: string, sizeBytes: number, part: string, signal: AbortSignal): Promise<void> {
    await this.#files.writingInFolder(part, signal, async (session) => {
      await withFile(session, part, WRITE_OR_CREATE, 0o600, async (handle) => {
        const { size } = await session.call<Stats>((sftp, done) => sftp.fstat(handle, done));
        if (size > sizeBytes) await session.call((sftp, done) => sftp.fsetstat(handle, { size: 0 }, done));
        const fromByte = size > sizeBytes ? 0 : size;
        await sendStretch(session, { local, handle, fromByte, toByte: sizeBytes, signal });
      });
    });
  }

  /**
   * Fetches what is missing of an unfinished file of this machine. Says whether there is anything to fetch: what is no
   * file is as if it were not there, for a server would wait for a pipe with all that it does.
   */
  async fetchPart(remote: string, sizeBytes: number, part: string, signal: AbortSignal): Promise<boolean> {
    await mkdir(dirname(part), { recursive: true });
    const fetched = await this.#files.unlessMissing("read", remote, signal, async (session) => {
      const { mode } = await session.call<Stats>((sftp, done) => sftp.lstat(remote, done));
      if (kindOfMode(mode) !== "file") return false;
      const had = await stat(part).catch(() => undefined);
      if (had !== undefined && had.size > sizeBytes) await rm(part);
      const fromByte = had === undefined || had.size > sizeBytes ? 0 : had.size;
      return await withFile(session, remote, "r", 0, async (handle) => {
        await fetchStretch(session, { local: part, handle, fromByte, toByte: sizeBytes, signal });
        return true;
      });
    });
    return fetched === true;
  }
}

async function localStatus(path: string): Promise<{ size: number; mode: number }> {
  return await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new WfError("WF_INPUT_UNREADABLE", `A file cannot be read: ${cause.message}`, { where: path, cause });
  });
}

function changedWhileMoved(where: string): WfError {
  return new WfError("WF_SITE_CHECKSUM", "A file did not arrive as it was: it was changed while it was on its way", {
    where,
    hint: "Wait until nothing writes to it, and try again.",
  });
}
