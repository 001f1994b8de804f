import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { WfError } from "@wf/protocol";

/** Makes the folder of `--outputs` before anything runs, so that a run does not fail at its very end. */
export function makeOutputsFolder(path: string): string {
  const folder = resolve(path);
  try {
    makeMissing(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new WfError("WF_USAGE", `the outputs cannot be put into ${folder}: ${(cause as Error).message}`, {
      where: `--outputs ${path}`,
      hint: "name a folder that you can write to",
      cause,
    });
  }
  return folder;
}

/** One by one: a recursive mkdir never comes back from a file system that refuses it with ENOENT, such as /proc. */
function makeMissing(folder: string): void {
  if (existsSync(folder)) return;
  makeMissing(dirname(folder));
  mkdirSync(folder);
}
