import { readFileSync } from "node:fs";
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

export async function installPnpm({ version }, { run, env }) {
  const argv = ["npm", "install", "--prefix", ".setup", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  const { code, output } = await run([...argv, `pnpm@${version}`], { env });
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
