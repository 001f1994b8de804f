// `pnpm torture`: sets up, compiles test/torture and runs it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./package-script.mjs";
import { setUpOrExit } from "./setup/set-up.mjs";

await setUpOrExit();
/** Whatever stands still for so long hangs. */
process.env.WF_TEST_PATIENCE_MS ??= "180000";

function run(...argv) {
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run(join(root, "node_modules/typescript/bin/tsc"), "-p", "test/torture");
run(join(root, "test/torture/dist/torture/main.js"), ...process.argv.slice(2));
