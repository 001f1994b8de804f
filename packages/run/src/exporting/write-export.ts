import { existsSync, readdirSync, statSync } from "node:fs";
import { chmod, mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ObjectStore, valueObjects, writeFailure } from "@wf/data";
import { type ExportedDag, LAUNCHER_FILE } from "@wf/export-dagman";
import { BUILT_LAUNCHER } from "@wf/launcher";
import { WfError } from "@wf/protocol";
import { copyFile } from "@wf/transport";

/** Folders that jobs write to, and that must be there before the first one. */
const EMPTY_FOLDERS = ["logs"];
const COPIES_AT_ONCE = 16;

/** The folder of `--output`, which must not hold anything yet. */
export function checkExportFolder(output: string | undefined): string {
  if (output === undefined) {
    throw new WfError("WF_USAGE", "no folder is named for the export", { hint: "name a new one: --output my-dag" });
  }
  const folder = resolve(output);
  const status = statSync(folder, { throwIfNoEntry: false });
  if (status === undefined || (status.isDirectory() && readdirSync(folder).length === 0)) return folder;
  throw new WfError("WF_USAGE", `${folder} is there already`, {
    where: `--output ${output}`,
    hint: "name a new folder: records in the old one belong to the DAG that was exported into it",
  });
}

/** Writes everything beside the folder, which then gets its name: half an export is never there. */
export async function writeExport(
  dag: ExportedDag,
  folder: string,
  objects: ObjectStore,
): Promise<{ readonly objects: number; readonly sizeBytes: number }> {
  const draft = `${folder}.${process.pid}.draft`;
  try {
    for (const name of EMPTY_FOLDERS) await mkdir(join(draft, name), { recursive: true });
    for (const { path, text, isProgram } of dag.files) {
      const file = join(draft, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      if (isProgram) await chmod(file, 0o755);
    }
    await copyFile(BUILT_LAUNCHER, join(draft, LAUNCHER_FILE));
    const copied = await copyContent(dag, draft, objects);
    if (existsSync(folder)) await rmdir(folder);
    await rename(draft, folder);
    return copied;
  } catch (error) {
    throw writeFailure(error, "results", folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function copyContent(dag: ExportedDag, draft: string, objects: ObjectStore) {
  const wanted = new Set(dag.content.flatMap((value) => [...valueObjects(objects, value)].map(({ hash }) => hash)));
  const hashes = wanted.values();
  const exported = new ObjectStore(draft);
  let sizeBytes = 0;
  const work = async () => {
    for (const hash of hashes) {
      const from = objects.path(hash);
      const to = exported.path(hash);
      await mkdir(dirname(to), { recursive: true });
      await copyFile(from, to);
      sizeBytes += statSync(to).size;
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, work));
  return { objects: wanted.size, sizeBytes };
}
