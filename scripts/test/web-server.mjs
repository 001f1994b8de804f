import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { hasProgram, installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";
import { withoutServices } from "./without-services.mjs";

/** Tests start the nginx that docs/placement.md describes. Returns what is skipped without it. */
export async function ensureWebServer() {
  if (existsSync("/usr/sbin/nginx") && hasProgram("openssl")) return;
  const log = openLog(join(root, ".setup/web-server.log"), root);
  const isInstalled = await withoutServices(() => installDebianPackages(["nginx-light", "openssl"], log.run));
  log.close();
  if (!isInstalled)
    return "tests that fetch content over https: nginx or openssl is missing. Type: sudo apt-get install nginx-light openssl";
}
