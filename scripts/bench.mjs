// `pnpm bench [NAME…] [--json]`: sets up, compiles test/bench and runs it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./package-script.mjs";
import { setUpOrExit } from "./setup/set-up.mjs";
import { ensureSshServer } from "./test/ssh-server.mjs";

await setUpOrExit();
const skipped = await ensureSshServer();
if (skipped !== undefined) console.log(`SKIPPED: ${skipped}`);

function run(...argv) {
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: ["inherit", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

run(join(root, "node_modules/typescript/bin/tsc"), "-p", "test/bench");
run(join(root, "test/bench/dist/bench/main.js"), ...process.argv.slice(2));
