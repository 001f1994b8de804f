const { readdirSync } = require("node:fs");
const { join } = require("node:path");

/** Which packages a package may import: the arrows of the design. */
const ARROWS = {
  protocol: [],
  core: ["protocol"],
  site: ["protocol"],
  planner: ["protocol", "core", "site"],
  backend: ["protocol", "site"],
  transport: ["protocol", "site"],
  launcher: ["protocol", "backend", "transport"],
  "backend-local": ["protocol", "site", "backend", "launcher"],
  "backend-cluster": ["protocol", "backend", "transport", "launcher"],
  "backend-slurm": ["protocol", "site", "backend", "backend-cluster", "transport"],
  "backend-htcondor": ["protocol", "site", "backend", "backend-cluster", "transport"],
  engine: ["protocol", "core", "site", "planner", "backend"],
  "export-dagman": ["protocol", "core", "site", "planner", "backend", "engine"],
  data: ["protocol", "transport"],
  store: ["protocol"],
  hpo: ["protocol", "core"],
  run: [
    "protocol",
    "core",
    "hpo",
    "site",
    "planner",
    "backend",
    "backend-cluster",
    "backend-local",
    "backend-slurm",
    "backend-htcondor",
    "engine",
    "export-dagman",
    "data",
    "launcher",
    "store",
    "transport",
  ],
  wf: ["core", "hpo", "run"],
  cli: [
    "protocol",
    "run",
    "core",
    "site",
    "planner",
    "backend",
    "backend-cluster",
    "backend-local",
    "backend-slurm",
    "backend-htcondor",
    "engine",
    "export-dagman",
    "data",
    "launcher",
    "store",
    "transport",
  ],
  testing: [],
};

/** Tests, and what is made for them. */
const TESTS = ["/src/(contract|testing)/", "/src/test-", "[.](test|test-d|fixture)[.]"];

/** Rooms that are handed files, processes, clocks and SQL, and so import only what computes. */
const PURE = ["protocol", "core", "planner", "engine", "export-dagman", "hpo"];
const COMPUTES = "^(node:)?(async_hooks|crypto|path|path/posix|url|util)$";

/** Doors: what another package may see of a package. */
const DOORS = "(dist|src)/((contract|testing|sparse|run|library|workflow-names)/)?index[.](js|ts|d[.]ts)$";

const packages = readdirSync(join(__dirname, "packages"));
const unknown = packages.filter((name) => !(name in ARROWS));
if (unknown.length > 0)
  throw new Error(`.dependency-cruiser.cjs has no arrows for packages/${unknown.join(", packages/")}`);

const arrows = Object.entries(ARROWS).map(([name, targets]) => ({
  name: `arrows-of-${name}`,
  comment: `${name} may import ${targets.length === 0 ? "no other package" : targets.join(", ")}.`,
  severity: "error",
  from: { path: `^packages/${name}/` },
  to: { path: "^packages/", pathNot: `^packages/(${[name, "testing", ...targets].join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...arrows,
    {
      name: "one-door-a-package",
      comment: "Other packages are imported by name, through src/index.ts.",
      severity: "error",
      from: { path: "^(?:packages/([^/]+)|test|workflows)/" },
      to: { path: "^packages/", pathNot: [`^packages/[^/]+/${DOORS}`, "^packages/$1/"] },
    },
    {
      name: "no-cycles",
      comment: "Files that import each other in a circle cannot be read one at a time.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "pure-rooms",
      comment: `${PURE.join(", ")} know nothing of processes, files, clocks or SQL: those are handed in.`,
      severity: "error",
      from: { path: `^packages/(${PURE.join("|")})/src/`, pathNot: "[.]test[.]ts$" },
      to: { dependencyTypes: ["core"], pathNot: COMPUTES },
    },
    {
      name: "pure-rooms-packages",
      comment: "Packages that touch the world have no place in a pure room.",
      severity: "error",
      from: { path: `^packages/(${PURE.join("|")})/src/`, pathNot: "[.]test[.]ts$" },
      to: { path: "node_modules/(better-sqlite3|commander|esbuild|pino|typescript)/" },
    },
    {
      name: "testing-is-for-tests",
      comment: "What tests share is imported by tests and their helpers alone.",
      severity: "error",
      from: { path: "^packages/", pathNot: [...TESTS, "^packages/testing/"] },
      to: { path: "^packages/testing/" },
    },
    {
      name: "resolvable",
      comment: "Every import leads somewhere: a dependency is in package.json, a file exists.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "tests-stay-tests",
      comment: "What is built does not import tests.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: "[.]test(-d)?[.]ts$" },
      to: { path: "[.]test(-d)?[.]ts$" },
    },
  ],
  options: {
    exclude: { path: "^test/(node_modules|bench/dist|hpo-quality/dist)/" },
    doNotFollow: { path: ["node_modules", "/dist/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.test.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "default"] },
  },
};
