import { chmodSync, mkdtempSync } from "node:fs";
import { join } from "node:path";

/** A new one, in which the users of tests and of tasks may both write. */
export function openFolder(parent: string, prefix: string): string {
  process.umask(0);
  const folder = mkdtempSync(join(parent, prefix));
  chmodSync(folder, 0o777);
  return folder;
}
