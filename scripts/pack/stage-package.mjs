import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root } from "../package-script.mjs";
import { copyDeclarations } from "./copy-declarations.mjs";
import { doorsOfWf, WF_PACKAGE } from "./doors-of-wf.mjs";
import { BUNDLE, checkDependencies, packageManifest } from "./package-manifest.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

/** Files and folders that go along as they are. Messages of wf name pages of the documentation. */
const AS_THEY_ARE = [
  "packages/cli/template",
  "packages/transport/far-side/far_side.py",
  "runtimes/launcher/check_unpacked.py",
  "runtimes/launcher/dist/wf-launcher.pyz",
  "docs/examples",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
];

/**
 * Makes the package that people install into projects of their own, in the empty folder `target`. All lies there as it
 * does in the repository, so that the program finds its files by the same relative paths.
 */
export function stagePackage(target) {
  for (const path of AS_THEY_ARE) cpSync(join(root, path), join(target, path), { recursive: true });
  const metafile = stageProgram(target);
  const mentioned = stageDoors(target);
  checkDependencies([...importedBy(metafile), ...mentioned]);
  checkOwnFiles(target);
  const { imports } = takeManifest(join(target, BUNDLE));
  writeFileSync(join(target, "package.json"), `${JSON.stringify(packageManifest(imports), null, 2)}\n`);
  writeFileSync(join(target, "README.md"), readme());
  writeFileSync(join(target, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(metafile, join(root, "packages/cli")));
}

function stageProgram(target) {
  const metafile = join(target, "metafile.json");
  const build = [join(root, "scripts/build-program.mjs"), join(target, BUNDLE), metafile];
  const { status } = spawnSync(process.execPath, build, { stdio: "inherit" });
  if (status !== 0) throw new Error(`the program could not be bundled: ${build[0]} ended with ${status}`);
  const made = JSON.parse(readFileSync(metafile, "utf8"));
  rmSync(metafile);
  return made;
}

/** What `require` asks for is either bundled or, as ciphers in C, tried and done without. */
function importedBy({ outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  return imports.filter(({ external, kind }) => external && kind !== "require-call").map(({ path }) => path);
}

/** Each door is a module that passes on what the bundle has, so that whoever imports it gets the program's own classes. */
function stageDoors(target) {
  const doors = doorsOfWf();
  for (const { entry, module } of doors) {
    const file = join(target, module);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export * from "${posix.relative(dirname(module), `${BUNDLE}/${entry}.js`)}";\n`);
  }
  return copyDeclarations(
    doors.map(({ types }) => types),
    target,
  );
}

/** Law: whatever the program finds beside itself in the repository, it finds in the package. */
function checkOwnFiles(target) {
  const folder = join(target, BUNDLE);
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const paths = texts.flatMap((text) => [...text.matchAll(/new URL\("(\.[^"]*)",\s*import\.meta\.url\)/g)]);
  const missing = paths
    .map(([, path]) => path)
    .filter((path) => existsSync(join(root, BUNDLE, path)) && !existsSync(join(folder, path)));
  if (missing.length > 0) throw new Error(`the program looks for files that are not packed: ${missing.join(", ")}`);
}

/** One manifest for all, so that the bundle is a part of the package and can ask for it by name. */
function takeManifest(folder) {
  const file = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return manifest;
}

function readme() {
  return readFileSync(join(root, WF_PACKAGE, "README.md"), "utf8").replaceAll("](../../", "](");
}
