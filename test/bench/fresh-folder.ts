import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";

/**
 * A file system may be slow to make files near where many were removed just before (ext4 without a journal looks
 * through recently freed inodes for each new one). So folders stay until all is measured, and where chattr knows how,
 * the next ones are laid far apart.
 */
const FOLDERS = join(REPOSITORY, ".setup/bench");
process.on("exit", () => rmSync(FOLDERS, { recursive: true, force: true }));

export function freshFolder(): string {
  mkdirSync(FOLDERS, { recursive: true });
  spawnSync("chattr", ["+T", FOLDERS], { stdio: "ignore" });
  return mkdtempSync(join(FOLDERS, "project-"));
}
