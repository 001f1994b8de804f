import { installDebianPackages } from "./debian-packages.mjs";
import { SetupProblem } from "./setup-problem.mjs";

const PROBE = ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 8))"];

/** Tasks are started by a Python program that needs nothing but the standard library. */
export async function ensurePython(run) {
  if ((await run(PROBE)).code === 0) return;
  if ((await installDebianPackages(["python3"], run)) && (await run(PROBE)).code === 0) return;
  throw new SetupProblem("python3 was not found, or is older than 3.8", {
    why: "the launcher that starts and measures tasks is a Python program",
    type: "sudo apt-get install python3 (or your system's package of that kind), then the same command again",
  });
}
