import { execFile } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeDocument } from "@wf/transport";
import { SYNCED, THIS_BOOT } from "./seals.ts";

const run = promisify(execFile);

/**
 * Returns when all that was written so far to the file systems of these folders is on disk: once for a whole run, and
 * never for a task. What was sealed in the storage until then is known to be whole after a power cut, too. Where the
 * system cannot be asked for that, it is not known, and content is read again after a power cut.
 */
export async function syncStorage(root: string, folders: readonly string[]): Promise<void> {
  const folder = join(root, SYNCED);
  mkdirSync(folder, { recursive: true });
  const now = join(folder, ".now");
  writeDocument(now, "");
  const sealedUntil = statSync(now, { bigint: true }).ctimeNs;
  if (await areOnDisk([root, ...folders])) writeDocument(join(folder, THIS_BOOT.toString(16)), String(sealedUntil));
}

/** Node cannot ask for it itself. Not every `sync` can do single file systems, and a PATH may lack the one there is. */
async function areOnDisk(folders: readonly string[]): Promise<boolean> {
  const env = { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/bin:/bin` };
  try {
    await run("sync", ["-f", ...folders], { env }).catch(() => run("sync", [], { env }));
    return true;
  } catch {
    return false;
  }
}
