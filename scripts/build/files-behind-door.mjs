import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const EXPORTS = /^export (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm;

/** Which file has each name that a door passes on: `index.js` as it was built, or its declarations. */
export function filesBehind(door) {
  const files = new Map();
  for (const [, names, file] of readFileSync(door, "utf8").matchAll(EXPORTS)) {
    for (const name of listed(names)) files.set(importedAs(name), join(dirname(door), file));
  }
  return files;
}

/** The parts of `{ a, type B, c as d }`. */
export function listed(names) {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The name by which a part is exported where it comes from. */
export function importedAs(part) {
  return part.replace(/^type /, "").replace(/ as .*/, "");
}
