import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { type Value, WfError } from "@wf/protocol";
import { copyFile } from "@wf/transport";
import { artifactLayout, type LayoutEntry } from "./artifact-layout.ts";
import { missingObject, type ObjectStore } from "./object-store.ts";
import { isInside } from "./safe-path.ts";
import { writeFailure } from "./write-failure.ts";

const COPIES_AT_ONCE = 8;

export interface MaterialiseOptions {
  /**
   * In the name of what is not complete yet. Whoever was killed and comes again under the same name clears it away, so no
   * two may have one name at the same time. Default: a new one.
   */
  readonly writer?: string;
}

/**
 * Puts an artifact where a person wants it, as files of their own: changing them never changes the store.
 * It is complete as soon as it is there, and takes the place of what was there before. An absent value puts nothing
 * there and removes nothing. Every file is made new, so that no link is ever written through.
 */
export async function materialise(
  value: Value,
  destination: string,
  objects: ObjectStore,
  { writer = randomBytes(6).toString("hex") }: MaterialiseOptions = {},
): Promise<void> {
  if (value.kind === "absent") return;
  const target = resolve(destination);
  await refuseToReplaceStore(target, objects.root);
  try {
    await mkdir(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `.${basename(target).slice(0, 100)}.${writer}`);
    await rm(temporary, { recursive: true, force: true });
    try {
      if (value.kind === "file" || value.kind === "json") {
        await copyObject(objects, value.hash, temporary, await modeOfNewFile(temporary));
      } else {
        await mkdir(temporary);
        await layOut(objects, artifactLayout(objects, value), temporary);
      }
      await replace(target, temporary);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  } catch (error) {
    throw writeFailure(error, "results", target);
  }
}

/** What the person's umask gives it. */
async function modeOfNewFile(path: string): Promise<number> {
  await writeFile(path, "", { flag: "wx" });
  const { mode } = await stat(path);
  await rm(path);
  return mode & 0o666;
}

/** Ends only when no copy is under way any more, failed or not, so that the folder can be removed. */
async function layOut(objects: ObjectStore, entries: Generator<LayoutEntry>, folder: string): Promise<void> {
  const fileMode = (await stat(folder)).mode & 0o666;
  const made = new Map<string, Promise<unknown>>();
  const makeFolder = (path: string) => {
    const making = made.get(path) ?? mkdir(path, { recursive: true });
    made.set(path, making);
    return making;
  };
  const work = async () => {
    for (let next = entries.next(); next.done !== true; next = entries.next()) {
      const entry = next.value;
      const path = join(folder, entry.path);
      if (entry.is === "folder") {
        await makeFolder(path);
        continue;
      }
      await makeFolder(dirname(path));
      if (entry.is === "text") await writeFile(path, entry.text, { flag: "wx" });
      else await copyObject(objects, entry.hash, path, fileMode, entry.executable);
    }
  };
  const workers = Array.from({ length: COPIES_AT_ONCE }, () =>
    work().catch((error: unknown) => {
      entries.return(undefined);
      throw error;
    }),
  );
  for (const ended of await Promise.allSettled(workers)) if (ended.status === "rejected") throw clash(ended.reason);
}

/** In a new folder, a name is taken only where the artifact itself has it twice. */
function clash(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof WfError || !CLASHES.has(code ?? "")) return error;
  return new WfError("WF_ARTIFACT_INVALID", `An artifact cannot be laid out as files: ${message}`, {
    hint: "It holds a path twice, as a file and as a folder, or one that is too long here: look at the task that made it.",
    cause: error,
  });
}

const CLASHES: ReadonlySet<string> = new Set(["EEXIST", "EISDIR", "ENOTDIR", "ENAMETOOLONG"]);

/**
 * `mode` is what the person's umask gives a new file; whoever may read an executable may run it. Where the value does
 * not say whether it is one, the object does.
 */
async function copyObject(
  objects: ObjectStore,
  hash: string,
  path: string,
  mode: number,
  executable?: boolean,
): Promise<void> {
  if (!objects.isIntact(hash, null)) throw missingObject(hash, objects.root);
  await copyFile(objects.path(hash), path);
  const isExecutable = executable ?? ((await stat(path)).mode & 0o100) !== 0;
  await chmod(path, isExecutable ? mode | ((mode & 0o444) >> 2) : mode);
}

/** A file is replaced in one step. A folder cannot be, so the old one steps aside and comes back if that fails. */
async function replace(target: string, temporary: string): Promise<void> {
  const there = await lstat(target).catch(() => undefined);
  if (there === undefined || !(there.isDirectory() || (await stat(temporary)).isDirectory())) {
    await rename(temporary, target);
    return;
  }
  const aside = `${temporary}.old`;
  await rename(target, aside);
  try {
    await rename(temporary, target);
  } catch (error) {
    await rename(aside, target);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

async function refuseToReplaceStore(target: string, root: string): Promise<void> {
  const real = await realpath(target).catch(() => target);
  const store = await realpath(root).catch(() => root);
  if (!isInside(real, store) && real !== parse(real).root) return;
  throw new WfError("WF_USAGE", `Outputs cannot take the place of ${JSON.stringify(target)}, which holds the store`, {
    hint: "Name a folder of their own, such as `results`.",
  });
}
