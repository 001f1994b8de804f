// node scripts/build-program.mjs [TARGET METAFILE]
// Makes a few files of the built packages and their dependencies, because Node takes longer to find and read hundreds
// of modules than wf takes to do most of what it is asked for. What a workflow imports ("wf", "zod") is made here too:
// it shares its parts with the program, so that both mean the same classes. With a TARGET, what is made can be installed
// elsewhere: it names what it leaves out, has all doors of "wf", and METAFILE says what it was made of.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { pastDoors } from "./build/past-doors.mjs";
import { doorsOfWf } from "./pack/doors-of-wf.mjs";
import { root } from "./package-script.mjs";

const cli = join(root, "packages/cli");
const [, , packedTarget, packedMetafile] = process.argv;
const isPacked = packedTarget !== undefined;
const target = packedTarget ?? join(cli, "bundle");
const HOST_MODULES = ["wf", "zod"];
const DOORS = isPacked ? doorsOfWf().map(({ specifier, entry }) => [entry, specifier]) : [];

/** Native, or large and rarely needed: used where they were installed. */
const LEFT_OUT = /^(better-sqlite3|esbuild|typescript|pino)$/;

/** Ciphers of ssh2 in C: it does without them, and they are not built. */
const NOT_BUILT = ["cpu-features", "*.node"];
const REQUIRE_FOR_COMMONJS =
  'import { createRequire as $createRequire } from "node:module"; const require = $createRequire(import.meta.url);';
const LONGEST_RUN_MS = 30 * 24 * 3600 * 1000;

const leaveOut = {
  name: "leave-out",
  setup({ onResolve }) {
    onResolve({ filter: LEFT_OUT }, ({ path, importer }) => ({
      path: isPacked ? path : `./${relative(target, createRequire(importer).resolve(path))}`,
      external: true,
    }));
  },
};

const { metafile } = await build({
  absWorkingDir: cli,
  entryPoints: {
    main: "./dist/main.js",
    "fn-worker": "../run/dist/executing/fn-worker.js",
    "ingest-worker": join(root, "packages/data/dist/ingest-worker.js"),
    ...Object.fromEntries([...DOORS, ...HOST_MODULES.map((name) => [name, name])]),
  },
  outdir: target,
  chunkNames: "part-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: isPacked ? false : "linked",
  legalComments: "none",
  logLevel: "warning",
  banner: { js: REQUIRE_FOR_COMMONJS },
  plugins: [leaveOut, pastDoors({ "@wf/run": join(root, "packages/run/dist/index.js") })],
  external: NOT_BUILT,
  define: { __dirname: "import.meta.dirname" },
  metafile: true,
});
writeFileSync(
  join(target, "package.json"),
  JSON.stringify({
    type: "module",
    imports: {
      ...Object.fromEntries(HOST_MODULES.map((name) => [`#host/${name}`, `./${name}.js`])),
      "#fn-worker": "./fn-worker.js",
      "#ingest-worker": "./ingest-worker.js",
      // Beside the declarations of what a workflow imports.
      "#types/wf": isPacked ? "../../wf/dist/index.js" : "@wf/run/workflow-names",
      "#types/wf-run": isPacked ? "../../wf/dist/run/index.js" : "@wf/run/library",
    },
  }),
);
if (isPacked) writeFileSync(packedMetafile, JSON.stringify(metafile));

// A run that began before this build goes on loading its own parts.
const made = new Set(Object.keys(metafile.outputs).map((path) => join(cli, path)));
for (const name of readdirSync(target)) {
  const path = join(target, name);
  if (name.startsWith("part-") && !made.has(path) && Date.now() - statSync(path).mtimeMs > LONGEST_RUN_MS) rmSync(path);
}
