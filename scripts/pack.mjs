// `npm run pack [-- FOLDER]`: sets up, and makes wf-VERSION.tgz, which people install into projects of their own.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./package-script.mjs";
import { setUpOrExit } from "./setup/set-up.mjs";

const destination = resolve(process.argv[2] ?? root);

await setUpOrExit();
// Not before: it needs what is set up.
const { stagePackage } = await import("./pack/stage-package.mjs");
mkdirSync(destination, { recursive: true });
const folder = mkdtempSync(join(root, ".setup/pack-"));
try {
  stagePackage(folder);
  const pack = ["pack", folder, "--silent", "--pack-destination", destination];
  const { status, stdout } = spawnSync("npm", pack, { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
  if (status !== 0) throw new Error(`npm ${pack.join(" ")} ended with ${status}`);
  console.log(join(destination, stdout.trim()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
