import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { root } from "../package-script.mjs";
import { doorsOfWf, WF_PACKAGE } from "./doors-of-wf.mjs";

export const BUNDLE = "packages/cli/bundle";

/**
 * What is installed beside wf: what the bundled program leaves out; zod and the types of SQLite, which ours mention; and
 * the types of Node, with which `wf check` reads workflows.
 */
const DEPENDENCIES = ["@types/better-sqlite3", "@types/node", "better-sqlite3", "esbuild", "pino", "typescript", "zod"];

const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** `imports`: the names by which the bundled program finds its own modules. */
export function packageManifest(imports) {
  const { name, version, license, private: isPrivate } = read(`${WF_PACKAGE}/package.json`);
  const { description, engines } = read("package.json");
  const doors = doorsOfWf().map(({ subpath, types, module }) => [
    subpath,
    { types: `./${types}`, default: `./${module}` },
  ]);
  const exports = Object.fromEntries(doors);
  const bundled = Object.entries(imports).map(([name, path]) => [name, `./${join(BUNDLE, path)}`]);
  return {
    name,
    version,
    private: isPrivate,
    description,
    license,
    type: "module",
    engines,
    bin: { wf: `${BUNDLE}/main.js` },
    // For editors that know nothing of `exports`.
    main: exports["."].default,
    types: exports["."].types,
    exports,
    imports: Object.fromEntries(bundled),
    dependencies: Object.fromEntries(DEPENDENCIES.map((dependency) => [dependency, installedVersion(dependency)])),
  };
}

/** Law: what is imported where wf is installed is in it, or is among its dependencies. */
export function checkDependencies(imported) {
  const known = new Set([...DEPENDENCIES, ...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
  const isKnown = (name) => known.has(name) || DEPENDENCIES.some((dependency) => name.startsWith(`${dependency}/`));
  const missing = [...imported].filter((name) => !isKnown(name));
  if (missing.length > 0) throw new Error(`imported, but neither bundled nor a dependency: ${missing.join(", ")}`);
}

/** Exactly the version that the lock file names: no other one has been tested. */
function installedVersion(dependency) {
  const manifest = readdirSync(join(root, "packages"))
    .map((folder) => `packages/${folder}/node_modules/${dependency}/package.json`)
    .find((path) => existsSync(join(root, path)));
  return read(manifest).version;
}
