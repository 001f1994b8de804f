import { existsSync } from "node:fs";

/** As seen from `src` and `dist` of this package, and from a bundle in a sibling folder of a package. */
const PACKAGE = new URL("../../store/node_modules/better-sqlite3/", import.meta.url);

/** How SQLite's native code came here. */
export type SqliteOrigin = "compiled" | "fetched";

/** A build leaves its makefile beside what it has made; what is fetched ready-made comes alone. */
export function sqliteOrigin(folder: URL = PACKAGE): SqliteOrigin {
  return existsSync(new URL("build/Makefile", folder)) ? "compiled" : "fetched";
}
