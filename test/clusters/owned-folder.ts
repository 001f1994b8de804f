import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { actOnRecipe } from "./act-on-recipe.ts";

/** A folder for a cluster that goes with this process. Clusters of test runs that were killed before they could take them down are wiped. */
export async function makeOwnedFolder(prefix: string, recipe: string): Promise<string> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const owner = join(tmpdir(), name, "owner");
    if (existsSync(owner) && !existsSync(`/proc/${readFileSync(owner, "utf8")}`)) {
      await wipeOwnedFolder(join(tmpdir(), name), recipe);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "owner"), `${process.pid}`);
  return folder;
}

export async function wipeOwnedFolder(folder: string, recipe: string): Promise<void> {
  await actOnRecipe(recipe, "wipe", folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
