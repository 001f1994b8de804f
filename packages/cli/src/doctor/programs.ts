import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { checkPython, findPython } from "@wf/launcher";
import type { NamedSite } from "@wf/site";
import { type Check, fail, ok, warn } from "./diagnosis.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 20_000;
const OLDEST_NODE = 20;

export function checkNode(version: string = process.versions.node): Check {
  return {
    name: "node",
    examine: () =>
      Number.parseInt(version, 10) >= OLDEST_NODE
        ? ok(version)
        : fail(`${version} is too old`, `install Node.js ${OLDEST_NODE} or newer: https://nodejs.org/en/download`),
  };
}

/** The one that runs the launcher. */
export function checkSitePython(site: NamedSite, path: string): Check {
  return {
    name: "python",
    async examine() {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const python =
        site.python === undefined ? await findPython(path, signal) : await checkPython(site.python, signal);
      const { stdout } = await run(python, ["--version"], { signal });
      return ok(`${stdout.trim().replace(/^Python /, "")}, ${python}`);
    },
  };
}

/**
 * The one of tasks with `python(…)` whose project requires nothing: whatever `python3` means where wf is started, an
 * environment that is active included.
 */
export function checkTaskPython(site: NamedSite, path: string): Check {
  return {
    name: "tasks",
    async examine() {
      const question = "import platform, sys; print(platform.python_version(), sys.executable, sep=', ')";
      try {
        const options = { env: { ...process.env, PATH: path }, timeout: TIMEOUT_MS };
        const { stdout } = await run(site.python ?? "python3", ["-c", question], options);
        return ok(`python ${stdout.trim()}`);
      } catch {
        return warn("python3 does not start: tasks with python(…) will fail", "install it, or name one in sites.yaml");
      }
    },
  };
}

export function checkGit(program = "git"): Check {
  return {
    name: "git",
    async examine() {
      try {
        const { stdout } = await run(program, ["--version"], { timeout: TIMEOUT_MS });
        return ok(stdout.trim().replace(/^git version /, ""));
      } catch {
        return warn("not found: runs will not note the commit of their workflow", "install git");
      }
    },
  };
}
