import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasProgram, installDebianPackages } from "./debian-packages.mjs";
import { networkProblem } from "./network-problem.mjs";
import { SetupProblem } from "./setup-problem.mjs";

/** Names what `node_modules` was made from, the version of Node's binary interface included. */
export function dependenciesKey(root) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${process.versions.modules}`);
  const packages = readdirSync(join(root, "packages")).sort();
  const manifests = ["", "test", ...packages.map((name) => `packages/${name}`)].map(
    (folder) => `${folder}/package.json`,
  );
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`\0${file}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** Law: what the lock file names is installed, and nothing else: whatever it lacks, nobody has looked at. */
export async function installDependencies(root, pnpm, { run, env }) {
  const install = () => run([process.execPath, pnpm.program, "install", "--frozen-lockfile"], { env });
  let result = await install();
  if (result.output.includes("ERR_PNPM_OUTDATED_LOCKFILE")) throw outdatedLock(result.output);
  if (result.code !== 0 && needsCompiler(result.output)) {
    await installCompiler(run, result.output);
    result = await install();
  }
  if (result.code !== 0) throw networkProblem(result.output) ?? installProblem(result.output);
  await ensureSqlite(root, pnpm, { run, env });
}

/** SQLite is the one native part: it must load in this Node, whichever Node it was installed with. */
async function ensureSqlite(root, pnpm, { run, env }) {
  const store = join(root, "packages/store");
  const load = [process.execPath, "-e", 'new (require("better-sqlite3"))(":memory:").close()'];
  if ((await run(load, { cwd: store })).code === 0) return;
  const rebuild = () => run([process.execPath, pnpm.program, "rebuild", "better-sqlite3"], { env, cwd: store });
  let built = await rebuild();
  if (built.code !== 0 && needsCompiler(built.output)) {
    await installCompiler(run, built.output);
    built = await rebuild();
  }
  const loaded = await run(load, { cwd: store });
  if (loaded.code === 0) return;
  throw new SetupProblem("better-sqlite3 does not load in this Node.js", {
    why: `no ready-made binary fits Node.js ${process.version} on ${process.platform}-${process.arch}, and building one failed`,
    type: "mend what the log names, or use another Node.js release, then the same command again",
    log: built.output + loaded.output,
  });
}

function needsCompiler(output) {
  const hasCompiler = hasProgram("make") && ["c++", "g++", "clang++"].some(hasProgram);
  return !hasCompiler && /gyp|better-sqlite3/.test(output);
}

async function installCompiler(run, output) {
  if (await installDebianPackages(["make", "g++"], run)) return;
  throw new SetupProblem("better-sqlite3 has to be compiled, and there is no compiler", {
    why: `no ready-made binary could be fetched for Node.js ${process.version}; make and a C++ compiler build one`,
    type:
      process.platform === "darwin"
        ? "xcode-select --install, then the same command again"
        : "sudo apt-get install make g++ (or your system's packages of that kind), then the same command again",
    log: output,
  });
}

function outdatedLock(output) {
  return new SetupProblem("pnpm-lock.yaml does not match package.json", {
    why: "a package.json was changed without it; versions that it does not name are never installed unseen",
    type: "pnpm install --lockfile-only, look at what changes in pnpm-lock.yaml, then the same command again",
    log: output,
  });
}

function installProblem(output) {
  return new SetupProblem("pnpm could not install the dependencies", {
    why: "pnpm says so below",
    type: "mend what pnpm names, then the same command again",
    log: output,
  });
}
