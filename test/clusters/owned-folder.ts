import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { actOnRecipe } from "./act-on-recipe.ts";

/** A folder for a cluster that goes with a process. */
export function makeOwnedFolder(prefix: string, owner = process.pid): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "owner"), `${owner}`);
  return folder;
}

/** Clusters of test runs that were killed before they could take them down. */
export async function wipeAbandoned(prefix: string, recipe: string): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const owner = join(tmpdir(), name, "owner");
    if (existsSync(owner) && !existsSync(`/proc/${readFileSync(owner, "utf8")}`)) {
      await wipeOwnedFolder(join(tmpdir(), name), recipe);
    }
  }
}

export async function wipeOwnedFolder(folder: string, recipe: string): Promise<void> {
  await actOnRecipe(recipe, "wipe", folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
