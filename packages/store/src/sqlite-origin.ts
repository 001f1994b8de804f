import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * Looked for from this package, whether the asking code is in its `src` or `dist` or in a bundle in a sibling folder;
 * where wf was installed from a tarball this folder is not there, and npm has put SQLite above it.
 */
const HERE = new URL("../../store/index.js", import.meta.url);

/** How SQLite's native code came here. */
export type SqliteOrigin = "compiled" | "fetched";

/** A build leaves its makefile beside what it has made; what is fetched ready-made comes alone. */
export function sqliteOrigin(folder: URL = sqlitePackage()): SqliteOrigin {
  return existsSync(new URL("build/Makefile", folder)) ? "compiled" : "fetched";
}

function sqlitePackage(): URL {
  return new URL(".", pathToFileURL(createRequire(HERE).resolve("better-sqlite3/package.json")));
}
