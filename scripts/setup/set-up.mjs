/**
 * Makes a clone ready to run: pnpm, dependencies, build. Only what is missing or out of date is done,
 * and nothing is said if nothing is.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { packageScript, root } from "../package-script.mjs";
import { dependenciesKey, installDependencies } from "./dependencies.mjs";
import { withLock } from "./lock.mjs";
import { openLog } from "./logged-run.mjs";
import { npmSettings } from "./npm-settings.mjs";
import { hasPnpm, installPnpm, privatePnpm } from "./pnpm.mjs";
import { ensurePython } from "./python.mjs";
import { beginPythonRuntime } from "./python-runtime.mjs";
import { SetupProblem } from "./setup-problem.mjs";

const folder = join(root, ".setup");
const EXIT_ENVIRONMENT = 4;

async function setUp(words) {
  if (isFresh()) return;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));
  mkdirSync(folder, { recursive: true });
  const onWait = () => say("another start is setting up; waiting for it");
  await withLock(join(folder, "lock"), { onWait }, async () => {
    if (!isFresh()) await bringUpToDate(words);
  });
}

function isFresh() {
  return spawnSync("sh", [join(root, "scripts/is-fresh.sh")], { env: { ...process.env, root } }).status === 0;
}

async function bringUpToDate(words) {
  // Sources that change while they are built are newer than this file, so the next start builds them.
  writeFileSync(join(folder, "ready.next"), spawnSync("sh", ["-c", "command -v node"]).stdout);
  if (!existsSync(join(folder, "ready"))) {
    say("setting up (once): this takes a minute or two");
    const log = join(folder, "runtime.log");
    if (beginPythonRuntime(root, words, { log })) say("the workflow's Python runtime is prepared meanwhile");
  }
  const log = openLog(join(folder, "setup.log"), root);
  const { run } = log;

  const pnpm = privatePnpm(root);
  if (!hasPnpm(pnpm))
    await step(`pnpm ${pnpm.version}`, () => installPnpm(pnpm, { root, run, env: fetchEnvironment() }));

  const key = dependenciesKey(root);
  const keyFile = join(folder, "dependencies");
  const isInstalled = existsSync(join(root, "node_modules/.modules.yaml")) && existsSync(keyFile);
  if (!isInstalled || readFileSync(keyFile, "utf8") !== key) {
    await step("dependencies", async () => {
      await ensurePython(run);
      const env = { ...(await npmSettings(run)), ...installEnvironment() };
      await installDependencies(root, pnpm, { run, env });
    });
    writeFileSync(keyFile, key);
  }

  await step("build", () => build(run));
  renameSync(join(folder, "ready.next"), join(folder, "ready"));
  log.close();
}

async function build(run) {
  const { script, argv, env } = packageScript("build");
  const { code, output } = await run(argv, { env });
  if (code === 0) return;
  throw new SetupProblem("the sources do not build", {
    why: `\`${script}\` ended with ${code}`,
    type: "mend what it names, then the same command again",
    log: output,
  });
}

/** For npm and pnpm: a home that cannot be written to is not needed, and no network is said soon. */
function fetchEnvironment() {
  const env = { npm_config_fetch_retry_mintimeout: "1000", npm_config_fetch_retry_maxtimeout: "5000" };
  return isHomeWritable() ? env : { ...env, npm_config_cache: join(folder, "npm-cache") };
}

/** For pnpm alone. Node's headers, where they lie beside it, save the build of a native module a download. */
function installEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  return {
    ...fetchEnvironment(),
    npm_config_confirm_modules_purge: "false",
    ...(existsSync(join(prefix, "include/node/node.h")) ? { npm_config_nodedir: prefix } : {}),
    ...(isHomeWritable() ? {} : { npm_config_store_dir: join(folder, "pnpm-store") }),
  };
}

function isHomeWritable() {
  try {
    accessSync(homedir(), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

let openLine = "";

async function step(name, work) {
  const start = performance.now();
  openLine = `wf:   ${name} … `;
  process.stderr.write(openLine);
  const finish = (result) => {
    process.stderr.write(`${result}\n`);
    openLine = "";
  };
  try {
    await work();
  } catch (error) {
    finish("failed");
    throw error;
  }
  finish(`${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Says something in a line of its own, even in the middle of a step. */
function say(text) {
  process.stderr.write(`${openLine === "" ? "" : "\n"}wf: ${text}\n${openLine}`);
}

/** Ends the process with what went wrong. `words` are what wf was asked for, where that is known. */
export async function setUpOrExit(words = []) {
  try {
    if (Number.parseInt(process.versions.node, 10) < 20) {
      throw new SetupProblem(`this is Node.js ${process.version}, which is too old`, {
        why: "wf is a program for Node.js 20 or newer",
        type: "install Node.js from https://nodejs.org/en/download, then the same command again",
      });
    }
    await setUp(words);
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    process.stderr.write(`${error}\n`);
    process.exit(EXIT_ENVIRONMENT);
  }
}
