import { spawn } from "node:child_process";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../package-script.mjs";
import { installDebianPackages } from "../setup/debian-packages.mjs";
import { openLog } from "../setup/logged-run.mjs";

const PACKAGES = ["python3-torch", "libopenblas0-pthread", "python3-numpy", "python3-pil", "python3-pytest"];
const REQUIREMENTS = ["torch", "numpy", "pillow", "pytest"];
const NEEDS = "import torch, numpy, PIL, pytest";
/** Where wf itself looks for the environment of a Python project. */
const OWN = join(root, "runtimes/python/.venv");

/** Trainings are real. Returns what is skipped where PyTorch cannot be had. */
export async function ensurePyTorch() {
  if ((await findPython()) !== undefined) return;
  console.log("PyTorch is brought for the trainings, once (.setup/python-for-tests.log)");
  const log = openLog(join(root, ".setup/python-for-tests.log"), root);
  try {
    if (await installDebianPackages(PACKAGES, log.run)) return;
    if (await buildOwn(log.run)) return;
  } finally {
    log.close();
  }
  return `trainings: no Python has torch, numpy, pillow and pytest. Type: ${WHAT_TO_TYPE}`;
}

export const WHAT_TO_TYPE = `sudo apt-get install ${PACKAGES.join(" ")}, or python3 -m pip install ${REQUIREMENTS.join(" ")}`;

/** An interpreter for the tests of runtimes/python. Debian's own goes first: its PyTorch is small and for CPUs. */
export async function findPython() {
  for (const python of ["/usr/bin/python3", "python3", join(OWN, "bin/python3")]) {
    if (await canImport(python)) return python;
  }
}

function canImport(python) {
  return new Promise((resolve) => {
    const child = spawn(python, ["-c", NEEDS], { stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

/** By the launcher, as wf builds environments, and once for all tests. An environment that is there is a person's own. */
async function buildOwn(run) {
  if (existsSync(OWN)) return false;
  const wish = join(root, ".setup/python-for-tests.json");
  const runtimes = join(root, ".setup/runtimes");
  const wanted = { requirements: REQUIREMENTS, requiresPython: ">=3.9", python: null, project: null, runtimes };
  writeFileSync(wish, JSON.stringify(wanted));
  const { code, output } = await run(["python3", "-I", "-S", join(root, "runtimes/launcher"), "prepare", wish]);
  if (code !== 0) return false;
  const { bin } = JSON.parse(output.trimEnd().split("\n").at(-1));
  rmSync(OWN, { force: true });
  symlinkSync(dirname(bin), OWN);
  return true;
}
