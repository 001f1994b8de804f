import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { OBJECTS } from "./object-layout.ts";

/** The names of all objects of a storage. */
export async function* objectHashes(root: string): AsyncGenerator<string> {
  for (const shard of await namesIn(join(root, OBJECTS))) {
    for (const name of await namesIn(join(root, OBJECTS, shard))) if (/^[0-9a-f]{64}$/.test(name)) yield name;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}
