import { dirname } from "node:path/posix";
import { WfError } from "@wf/protocol";
import type { FileEntryWithStats, Stats } from "ssh2";
import { unfinishedName } from "../atomic-name.ts";
import { type FarSide, roomOf } from "../far-side.ts";
import { type Entry, kindOfMode, permissionsOfMode, type Status } from "../file-status.ts";
import { modeOfNewFolder } from "../new-folder-mode.ts";
import { type DiskRoom, type FileDeed, siteFileError } from "../site-file-error.ts";
import { checkedSitePath } from "../site-path.ts";
import type { FileToWrite } from "../transport.ts";
import type { SftpSession, SftpSessions } from "./sftp-session.ts";
import { readExactly, withFile } from "./sftp-stream.ts";

/** What a server answers instead of an error of its system. Everything else is a plain failure. */
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const READ_BYTES = 64 * 1024;

/** Files over SFTP. What a cut has left in doubt is tried again, and found done if it was. */
export class SftpFiles {
  readonly #sessions: SftpSessions;
  readonly #farSide: FarSide;
  readonly #place: string;

  constructor(sessions: SftpSessions, farSide: FarSide, place: string) {
    this.#sessions = sessions;
    this.#farSide = farSide;
    this.#place = place;
  }

  async read(path: string, signal: AbortSignal): Promise<Buffer | undefined> {
    return await this.unlessMissing("read", path, signal, async (session) => {
      return await withFile(session, path, "r", 0, async (handle) => {
        const chunks: Buffer[] = [];
        for (let at = 0; ; at += READ_BYTES) {
          const chunk = await readExactly(session, handle, at, READ_BYTES);
          chunks.push(chunk);
          if (chunk.byteLength < READ_BYTES) return Buffer.concat(chunks);
        }
      });
    });
  }

  async write({ path, content, mode = 0o644 }: FileToWrite, signal: AbortSignal): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
    const unfinished = unfinishedName(path);
    await this.#doing("write", path, signal, async (session) => {
      try {
        await inFolder(session, path, () => writeWhole(session, unfinished, bytes, mode));
        await session.call((sftp, done) => sftp.ext_openssh_rename(unfinished, path, done));
      } catch (error) {
        removeQuietly(session, unfinished);
        throw error;
      }
    });
  }

  async list(folder: string, signal: AbortSignal): Promise<readonly Entry[] | undefined> {
    const found = await this.unlessMissing("list", folder, signal, (session) =>
      session.call<FileEntryWithStats[]>((sftp, done) => sftp.readdir(folder, done)),
    );
    return found?.map(({ filename: name, attrs: { mode, size: sizeBytes, mtime } }) => {
      return { name, kind: kindOfMode(mode), sizeBytes, modifiedMs: mtime * 1000 };
    });
  }

  async stat(path: string, signal: AbortSignal): Promise<Status | undefined> {
    return await this.unlessMissing("read", path, signal, async (session) => {
      const { mode, size, mtime } = await session.call<Stats>((sftp, done) => sftp.lstat(path, done));
      const kind = kindOfMode(mode);
      const status = { kind, sizeBytes: size, modifiedMs: mtime * 1000, mode: permissionsOfMode(mode) };
      if (kind !== "link") return status;
      return { ...status, target: await session.call<string>((sftp, done) => sftp.readlink(path, done)) };
    });
  }

  async makeFolder(path: string, signal: AbortSignal): Promise<void> {
    await this.#doing("write", path, signal, (session) => makeFolders(session, path));
  }

  /** Whether it is gone. A folder is not: SFTP removes only empty ones. */
  async removeFile(path: string, signal: AbortSignal): Promise<boolean> {
    return await this.#sessions.use(signal, async (session) => {
      try {
        await session.call((sftp, done) => sftp.unlink(checkedSitePath(path), done));
        return true;
      } catch (error) {
        if (session.lost.aborted || error instanceof WfError) throw error;
        return codeOf(error) === NO_SUCH_FILE;
      }
    });
  }

  async rename(from: string, to: string, signal: AbortSignal): Promise<void> {
    checkedSitePath(to);
    let tries = 0;
    await this.#doing("rename", from, signal, async (session) => {
      tries += 1;
      try {
        await session.call((sftp, done) => sftp.ext_openssh_rename(from, to, done));
      } catch (error) {
        const isDone = tries > 1 && codeOf(error) === NO_SUCH_FILE && (await isThere(session, to));
        if (!isDone) throw error;
      }
    });
  }

  async symlink(path: string, target: string, signal: AbortSignal): Promise<void> {
    let tries = 0;
    await this.#doing("link", path, signal, async (session) => {
      tries += 1;
      try {
        await session.call((sftp, done) => sftp.symlink(target, path, done));
      } catch (error) {
        if (tries === 1 || !(await isThere(session, path))) throw error;
      }
    });
  }

  async chmod(path: string, mode: number, signal: AbortSignal): Promise<void> {
    await this.#doing("change the mode of", path, signal, (session) =>
      session.call((sftp, done) => sftp.chmod(path, mode, done)),
    );
  }

  /** For what is sent in pieces: the folders of the file are made when they are first missed. */
  async writingInFolder<T>(path: string, signal: AbortSignal, work: (session: SftpSession) => Promise<T>): Promise<T> {
    return await this.#doing("write", path, signal, (session) => inFolder(session, path, () => work(session)));
  }

  async unlessMissing<T>(
    deed: FileDeed,
    path: string,
    signal: AbortSignal,
    work: (session: SftpSession) => Promise<T>,
  ): Promise<T | undefined> {
    return await this.#doing(deed, path, signal, async (session) => {
      try {
        return await work(session);
      } catch (error) {
        if (codeOf(error) === NO_SUCH_FILE) return undefined;
        throw error;
      }
    });
  }

  async #doing<T>(
    deed: FileDeed,
    path: string,
    signal: AbortSignal,
    work: (session: SftpSession) => Promise<T>,
  ): Promise<T> {
    checkedSitePath(path);
    try {
      return await this.#sessions.use(signal, work);
    } catch (error) {
      if (error instanceof WfError || signal.aborted) throw error;
      const { errno, room } = await this.#why(error, deed, path, signal);
      throw siteFileError(errno, deed, path, this.#place, error, room);
    }
  }

  /** SFTP says only "Failure" for a full disk, a quota and a read-only file system: the far side finds out which. */
  async #why(
    error: unknown,
    deed: FileDeed,
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly errno?: string; readonly room?: DiskRoom | undefined }> {
    const code = codeOf(error);
    if (code === NO_SUCH_FILE) return { errno: "ENOENT" };
    if (code === PERMISSION_DENIED) return { errno: "EACCES" };
    if (code === undefined || deed === "read" || deed === "list") return {};
    const answer = await this.#farSide.ask({ deed: "why", folder: dirname(path) }, "write", signal);
    return typeof answer.reason === "string" ? { errno: answer.reason, room: roomOf(answer) } : {};
  }
}

async function writeWhole(session: SftpSession, path: string, bytes: Buffer, mode: number): Promise<void> {
  await withFile(session, path, "w", mode, async (handle) => {
    await Promise.all([
      session.call((sftp, done) => sftp.write(handle, bytes, 0, bytes.byteLength, 0, done)),
      session.call((sftp, done) => sftp.fchmod(handle, mode, done)),
    ]);
  });
}

async function inFolder<T>(session: SftpSession, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_FILE) throw error;
    await makeFolders(session, dirname(path));
    return await work();
  }
}

async function makeFolders(session: SftpSession, path: string): Promise<void> {
  try {
    await session.call((sftp, done) => sftp.mkdir(path, done));
    const parent = await session.call<Stats>((sftp, done) => sftp.stat(dirname(path), done));
    const mode = modeOfNewFolder(parent.mode);
    if (mode !== undefined) await session.call((sftp, done) => sftp.chmod(path, mode, done));
  } catch (error) {
    if (codeOf(error) === NO_SUCH_FILE && path !== "/") {
      await makeFolders(session, dirname(path));
      await makeFolders(session, path);
      return;
    }
    const found = await session.call<Stats>((sftp, done) => sftp.stat(path, done)).catch(() => undefined);
    if (found === undefined || kindOfMode(found.mode) !== "folder") throw error;
  }
}

async function isThere(session: SftpSession, path: string): Promise<boolean> {
  return await session
    .call<Stats>((sftp, done) => sftp.lstat(path, done))
    .then(
      () => true,
      () => false,
    );
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown }).code;
  return typeof code === "number" ? code : undefined;
}

function removeQuietly(session: SftpSession, path: string): void {
  session.call((sftp, done) => sftp.unlink(path, done)).catch(() => undefined);
}
