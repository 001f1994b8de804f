import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageScript, root } from "../package-script.mjs";
import { runShown, showLine } from "./run-shown.mjs";

/** Generates the docs again: nothing may change. What does is left in place, ready to be committed. */
export async function generatedDocsAreClean(step) {
  if (!existsSync(join(root, "scripts/docs.mjs"))) {
    showLine(step, "nothing is generated yet");
    return { isPassed: true };
  }
  const before = readDocs();
  const { code } = await runShown(step, packageScript("docs"));
  const after = readDocs();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  for (const path of changed) showLine(step, `out of date, now generated anew: ${path}`);
  return { isPassed: code === 0 && changed.length === 0 };
}

function readDocs() {
  const files = readdirSync(join(root, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return new Map(
    [...files, join(root, "README.md")].filter(existsSync).map((path) => [path, readFileSync(path, "latin1")]),
  );
}
