import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = "runtimes/python";

/**
 * Begins to prepare the Python runtime that a workflow of this clone will need, while what wf itself needs is installed.
 * The run that follows finds it ready, or waits for it by its lock. Whatever goes wrong here is for that run to say, so
 * nothing is reported. Returns false if there is nothing to begin.
 */
export function beginPythonRuntime(root, words, { log }) {
  if (!words.includes("run") || !words.some((word) => needsProject(root, word))) return false;
  if (!existsSync(join(root, PROJECT, "pyproject.toml")) || choosesPython(root)) return false;
  const output = openSync(log, "w");
  const launcher = join(root, "runtimes/launcher");
  const runtimes = join(storeFolder(root, words), "runtimes");
  const child = spawn(
    "python3",
    ["-I", "-S", launcher, "prepare", "--project", join(root, PROJECT), "--runtimes", runtimes],
    { stdio: ["ignore", output, output] },
  );
  closeSync(output);
  child.on("error", () => undefined);
  child.unref();
  process.once("exit", (code) => code !== 0 && child.kill());
  return true;
}

/** A workflow, or a file of the folder that goes by its name, that names the project. */
function needsProject(root, word) {
  if (!word.endsWith(".ts") || !isFile(word)) return false;
  const file = realpathSync(word);
  if (!file.startsWith(`${realpathSync(root)}/`)) return false;
  const folder = file.slice(0, -".ts".length);
  const parts = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".ts")) : [];
  return [file, ...parts.map((name) => join(folder, name))].some((path) =>
    readFileSync(path, "utf8").includes(PROJECT),
  );
}

/** A site may name an interpreter, which is a matter for wf. */
function choosesPython(root) {
  const sites = join(root, "sites.yaml");
  return existsSync(sites) && readFileSync(sites, "utf8").includes("python");
}

/** As wf finds it for a workflow of this clone. */
function storeFolder(root, words) {
  const at = words.findIndex((word) => word === "--store" || word.startsWith("--store="));
  const named = at < 0 ? process.env.WF_STORE : (words[at].split("=", 2)[1] ?? words[at + 1]);
  return named ? resolve(named) : join(root, ".wf");
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
