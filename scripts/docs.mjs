// Writes the reference pages that code decides: docs/cli.md from the command tree, docs/errors.md from the error codes,
// the generated parts of docs/sites.md and docs/store.md, and the JSON Schemas of packages/protocol. With --check it writes nothing and fails where a page is out of date.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cliPage } from "./docs/cli-page.mjs";
import { errorsPage } from "./docs/errors-page.mjs";
import { firstDifference } from "./docs/first-difference.mjs";
import { schemaFiles } from "./docs/schema-files.mjs";
import { sitesPage } from "./docs/sites-page.mjs";

const isCheck = process.argv.includes("--check");
const pages = {
  "docs/cli.md": cliPage(),
  "docs/errors.md": errorsPage(),
  "docs/sites.md": sitesPage(),
  ...schemaFiles(),
};
let isClean = true;

for (const [page, text] of Object.entries(pages)) {
  const path = fileURLToPath(new URL(`../${page}`, import.meta.url));
  const written = read(path);
  if (written === text) continue;
  if (isCheck) {
    isClean = false;
    console.error(`${page} is out of date; type: pnpm docs\n${firstDifference(written, text)}`);
  } else {
    writeFileSync(path, text);
  }
}

const store = fileURLToPath(new URL("store-docs.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [store, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(isClean && status === 0 ? 0 : 1);

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
