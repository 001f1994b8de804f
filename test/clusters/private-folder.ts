import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync } from "node:fs";
import { join } from "node:path";

/** A new one, which only a user of the cluster may look into, and root. */
export function privateFolder(parent: string, prefix: string, user: string): string {
  const folder = mkdtempSync(join(parent, prefix));
  const id = (option: string) => Number(execFileSync("id", [option, user], { encoding: "utf8" }));
  chownSync(folder, id("-u"), id("-g"));
  return folder;
}
