import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { networkProblem } from "./network-problem.mjs";
import { SetupProblem } from "./setup-problem.mjs";

/** The pnpm that package.json names, in a folder of our own: no global install, no corepack. */
export function privatePnpm(root) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = manifest.packageManager.replace(/^pnpm@/, "").replace(/\+.*$/, "");
  const home = join(root, ".setup/node_modules/pnpm");
  return { version, home, program: join(home, "bin/pnpm.cjs") };
}

export function hasPnpm({ home, version }) {
  try {
    return JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version === version;
  } catch {
    return false;
  }
}

export async function installPnpm({ version }, { root, run, env }) {
  const quietly = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--no-update-notifier"];
  const { code, output } = await run(["npm", "install", ...quietly, `pnpm@${version}`], { env, cwd: npmProject(root) });
  if (code === 0) return;
  if (code === 127) {
    throw new SetupProblem("npm was not found", {
      why: "it comes with Node.js, but some distributions package it apart; wf needs it once, to fetch pnpm",
      type: "install npm (Debian and Ubuntu: sudo apt-get install npm), then the same command again",
    });
  }
  throw (
    networkProblem(output) ??
    new SetupProblem(`npm could not install pnpm ${version}`, {
      why: "npm says so below",
      type: "mend what npm names, then the same command again",
      log: output,
    })
  );
}

/** A folder that npm takes for a project. `--prefix` would lead there too, but npm looks for its global file below it. */
function npmProject(root) {
  const folder = join(root, ".setup");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const settings = join(folder, ".npmrc");
  rmSync(settings, { force: true });
  if (existsSync(join(root, ".npmrc"))) symlinkSync("../.npmrc", settings);
  return folder;
}
