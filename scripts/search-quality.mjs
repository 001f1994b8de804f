// Sets up, compiles test/hpo-quality and runs it: our samplers against Optuna's. It needs a Python that has Optuna.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./package-script.mjs";
import { setUpOrExit } from "./setup/set-up.mjs";

await setUpOrExit();

function run(...argv) {
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: ["inherit", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}

run(join(root, "node_modules/typescript/bin/tsc"), "-p", "test/hpo-quality");
run(join(root, "test/hpo-quality/dist/main.js"), ...process.argv.slice(2));
